import type { StreamReport } from '@sluice/contracts';
import type { Agent } from '../agents/agent-authorizer.ts';
import { nodeBatches } from '../agents/node-batches.ts';
import type { Shared } from '../shared.ts';
import { storeStreams, type NodeStreams } from './stream-intake.store.ts';

export interface StreamIntakeOptions extends Pick<Shared, 'database' | 'now'> {
  /** resolves once there are partitions for what is reported now */
  prepared: Promise<void>;
}

/** A time further from now is not one of the agent's clock any more, and replaced by now. Milliseconds. */
const furthest = 60_000;

export type StreamIntake = ReturnType<typeof streamIntake>;

/** Takes in what brokers hold. Throws as `nodeBatches` does. */
export function streamIntake({ database, prepared, now }: StreamIntakeOptions) {
  const take = nodeBatches<NodeStreams>({
    ...{ mostWaiting: 2_000, mostInStatement: 50, newestCounts: false },
    async store(reports) {
      await prepared;
      return await database.transaction().execute((tx) => storeStreams(tx, reports));
    },
  });

  return ({ nodeId, key }: Agent, report: StreamReport): Promise<void> =>
    take({ nodeId, key }, () => {
      const time = now();
      const isNear = Math.abs(new Date(report.at).getTime() - time.getTime()) < furthest;
      return { ...report, nodeId, key, at: isNear ? report.at : time.toISOString() };
    });
}
