import type { AgentOperations } from '@sluice/contracts';
import { noContent, ok, type Handlers } from '@sluice/service-kit';
import type { Agent } from './agent-authorizer.ts';
import type { Agents } from './agents.service.ts';

export function agentsOperations(agents: Agents) {
  return {
    enrolAgent: async ({ body }) => ok(await agents.enrol(body)),
    getDesiredState: async ({ caller, query, signal }) => {
      const { revision = 0, wait = 30 } = query;
      const state = await agents.desiredState(caller, revision, wait, signal);
      return state ? ok(state) : noContent();
    },
    postHeartbeat: async ({ caller, body }) => {
      await agents.heartbeat(caller, body);
      return noContent();
    },
  } satisfies Partial<Handlers<AgentOperations, Agent>>;
}
