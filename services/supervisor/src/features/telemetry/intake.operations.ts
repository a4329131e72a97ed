import type { AgentOperations } from '@sluice/contracts';
import { type Handlers } from '@sluice/http';
import { done } from '../answers.ts';
import type { Agent } from '../agents/agent-authorizer.ts';
import type { TelemetryIntake } from './intake.service.ts';

export function intakeOperations(takeIn: TelemetryIntake) {
  return {
    postTelemetry: ({ caller, body }) => done(takeIn(caller, body)),
  } satisfies Partial<Handlers<AgentOperations, Agent>>;
}
