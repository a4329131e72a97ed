import type { AgentOperations } from '@sluice/contracts';
import { noContent, type Handlers } from '@sluice/http';
import type { Agent } from '../agents/agent-authorizer.ts';
import type { TakePiece } from './archive-intake.ts';
import type { TakeFindings } from './findings-intake.ts';

export function findingsOperations(takeFindings: TakeFindings, takePiece: TakePiece) {
  return {
    async postSnapshotFindings({ caller, params, body }) {
      await takeFindings(caller, params.snapshot_id, body);
      return noContent();
    },
    async postSnapshotArchive({ caller, params, body }) {
      await takePiece(caller, params.snapshot_id, body);
      return noContent();
    },
  } satisfies Partial<Handlers<AgentOperations, Agent>>;
}
