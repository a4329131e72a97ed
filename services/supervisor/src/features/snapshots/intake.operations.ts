import type { AgentOperations } from '@sluice/contracts';
import { type Handlers } from '@sluice/http';
import { done } from '../answers.ts';
import type { Agent } from '../agents/agent-authorizer.ts';
import type { TakePiece } from './archive-intake.ts';
import type { TakeFindings } from './findings-intake.ts';

export function findingsOperations(takeFindings: TakeFindings, takePiece: TakePiece) {
  return {
    postSnapshotFindings: ({ caller, params, body }) => done(takeFindings(caller, params.snapshot_id, body)),
    postSnapshotArchive: ({ caller, params, body }) => done(takePiece(caller, params.snapshot_id, body)),
  } satisfies Partial<Handlers<AgentOperations, Agent>>;
}
