import type { AgentOperations } from '@sluice/contracts';
import { noContent, type Handlers } from '@sluice/http';
import type { Agent } from '../agents/agent-authorizer.ts';
import type { TelemetryIntake } from './intake.service.ts';

export function intakeOperations(takeIn: TelemetryIntake) {
  return {
    async postTelemetry({ caller, body }) {
      await takeIn(caller, body);
      return noContent();
    },
  } satisfies Partial<Handlers<AgentOperations, Agent>>;
}
