import type { AgentOperations } from '@sluice/contracts';
import { done, noContent, ok, type Handlers } from '@sluice/http';
import type { Agent } from './agent-authorizer.ts';
import type { AgentsService } from './agents.service.ts';

export function agentsOperations(agents: AgentsService) {
  return {
    enrolAgent: async ({ body }) => ok(await agents.enrol(body)),
    async getDesiredState({ caller, query, signal }) {
      const state = await agents.desiredState(caller, query, signal);
      return state ? ok(state) : noContent();
    },
    postTaskResult: ({ caller, params, body }) => done(agents.taskResult(caller, params.task_id, body)),
    postMachine: ({ caller, body }) => done(agents.machine(caller, body)),
    postDeparture: ({ caller }) => done(agents.departure(caller)),
    postHeartbeat: ({ caller, body }) => done(agents.heartbeat(caller, body)),
  } satisfies Partial<Handlers<AgentOperations, Agent>>;
}
