import type { AgentOperations } from '@sluice/contracts';
import { noContent, ok, type Handlers } from '@sluice/http';
import type { Agent } from './agent-authorizer.ts';
import type { AgentsService } from './agents.service.ts';

export function agentsOperations(agents: AgentsService) {
  return {
    async enrolAgent({ body }) {
      return ok(await agents.enrol(body));
    },
    async getDesiredState({ caller, query, signal }) {
      const state = await agents.desiredState(caller, query, signal);
      return state ? ok(state) : noContent();
    },
    async postTaskResult({ caller, params, body }) {
      await agents.taskResult(caller, params.task_id, body);
      return noContent();
    },
    async postMachine({ caller, body }) {
      await agents.machine(caller, body);
      return noContent();
    },
    async postDeparture({ caller }) {
      await agents.departure(caller);
      return noContent();
    },
    async postHeartbeat({ caller, body }) {
      await agents.heartbeat(caller, body);
      return noContent();
    },
  } satisfies Partial<Handlers<AgentOperations, Agent>>;
}
