import type { AgentOperations } from '@sluice/contracts';
import { noContent, ok, type Handlers } from '@sluice/service-kit';
import type { Agent } from './agent-authorizer.ts';
import type { Agents } from './agents.service.ts';

export function agentsOperations(agents: Agents): Handlers<AgentOperations, keyof AgentOperations, Agent> {
  return {
    enrolAgent: async ({ body }) => ok(await agents.enrol(body)),
    getDesiredState: async ({ principal, query, signal }) => {
      const { revision = 0, wait = 30 } = query;
      const state = await agents.desiredState(principal, revision, wait, signal);
      return state ? ok(state) : noContent();
    },
    postHeartbeat: async ({ principal, body }) => {
      await agents.heartbeat(principal, body);
      return noContent();
    },
  };
}
