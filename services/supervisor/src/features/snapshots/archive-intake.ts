import type { SnapshotArchivePiece, SnapshotId } from '@sluice/contracts';
import type { UnitOfWork } from '@sluice/messaging';
import { problem, system, type Log } from '@sluice/service';
import type { Transaction } from '../../database/tables.ts';
import { appendPiece, lockWantedArchive } from '../../stores/snapshots.store.ts';
import type { Agent } from '../agents/agent-authorizer.ts';
import type { SettleSnapshots } from './settle.ts';

export interface ArchiveIntakeOptions {
  work: UnitOfWork<Transaction>;
  settle: SettleSnapshots;
  /** what an archive may have */
  mostBytes: number;
  log: Log;
}

export type TakePiece = (agent: Agent, id: SnapshotId, piece: SnapshotArchivePiece) => Promise<void>;

/**
 * Takes the ZIP of a broker's data folder, piece by piece. One that comes again changes nothing, and the first of another upload begins anew.
 * @throws Problem `not_found` when nobody waits for it, `state_conflict` for one out of turn, `payload_too_large`
 */
export function archiveIntake({ work, settle, mostBytes, log }: ArchiveIntakeOptions): TakePiece {
  return async (agent, id, { upload, number, content: text, last }) => {
    const content = Buffer.from(text, 'base64');
    await work(system, async ({ db }) => {
      const wanted = await lockWantedArchive(db, agent, id);
      if (!wanted) throw problem('not_found');
      const isOfSame = wanted.archive_upload === upload;
      if (isOfSame && number <= wanted.archive_pieces) return;
      if (number !== 1 && !(isOfSame && number === wanted.archive_pieces + 1))
        throw problem('state_conflict');
      const former = number === 1 ? 0 : wanted.archive_bytes;
      if (former + content.length > mostBytes)
        throw problem('payload_too_large', { detail: `An archive has ${mostBytes} bytes at most.` });
      await appendPiece(db, id, { upload, number, content, last });
    });
    if (!last) return;
    // what is left undone here the watch does
    await settle(agent.deploymentId).catch((error: unknown) =>
      log.warn('snapshots of a deployment could not be seen to', { deployment: agent.deploymentId, error }),
    );
  };
}
