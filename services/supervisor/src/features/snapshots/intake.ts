import type { SnapshotArchivePiece, SnapshotFindings, SnapshotId } from '@sluice/contracts';
import { problem, system } from '@sluice/service';
import { findLocked } from '@sluice/region-store/deployments.store';
import { appendPiece, lockWantedArchive, recordFindings } from '@sluice/region-store/snapshots.store';
import type { Agent } from '../agents/agent-authorizer.ts';
import type { Shared } from '../shared.ts';
import type { SettleSnapshots } from './settle.ts';

export interface SnapshotIntakeOptions extends Pick<Shared, 'work' | 'log'> {
  settle: SettleSnapshots;
  /** what an archive may have */
  mostBytes: number;
}

export type SnapshotIntake = ReturnType<typeof snapshotIntake>;

/** Takes what nodes find out for snapshots. */
export function snapshotIntake({ work, settle, mostBytes, log }: SnapshotIntakeOptions) {
  const settled = ({ deploymentId: deployment }: Agent) =>
    // what is left undone here the job does
    settle(deployment).catch((error: unknown) =>
      log.warn('snapshots of a deployment could not be settled', { deployment, error }),
    );

  return {
    /**
     * What a node's examination has found. What comes twice, or late, changes nothing.
     * @throws Problem `not_found` when the node has no such snapshot, or not any more
     */
    async findings(agent: Agent, id: SnapshotId, findings: SnapshotFindings): Promise<void> {
      await work(system, async ({ db }) => {
        const deployment = await findLocked(db, agent.deploymentId);
        if (!deployment || !(await recordFindings(db, agent, id, findings))) throw problem('not_found');
      });
      await settled(agent);
    },

    /**
     * The ZIP of a broker's data folder, piece by piece. One that comes again changes nothing, and the first of another upload begins anew.
     * @throws Problem `not_found` when it is not awaited, `state_conflict` for one out of turn, `payload_too_large`
     */
    async archive(agent: Agent, id: SnapshotId, piece: SnapshotArchivePiece): Promise<void> {
      const { upload, number, last } = piece;
      const content = Buffer.from(piece.content, 'base64');
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
      if (last) await settled(agent);
    },
  };
}
