import type { LogLine, Sample, TelemetryBatch } from '@sluice/contracts';
import { RateLimits } from '@sluice/http';
import type { Database } from '@sluice/region-store/tables';
import type { Agent } from '../agents/agent-authorizer.ts';
import { nodeBatches } from '../agents/node-batches.ts';
import type { Shared } from '../shared.ts';
import { storeBatches, type NodeBatch } from './telemetry-intake.store.ts';

export interface IntakeOptions extends Pick<Shared, 'database' | 'now'> {
  /** resolves once there are partitions for what is reported now */
  prepared: Promise<void>;
  /** Called with what is about to be stored, in the same transaction. */
  watch: (tx: Database, batches: readonly NodeBatch[]) => Promise<void>;
}

/** What is older than this is left out, and what lies further ahead. Milliseconds. */
const oldest = 47 * 3_600_000;
const furthest = 60_000;
/** lines of log that each node may send, on average and at once */
const lineLimit = { perSecond: 50, burst: 5_000 };

export type TelemetryIntake = ReturnType<typeof telemetryIntake>;

/** Takes in what nodes have measured and logged. Throws as `nodeBatches` does, and Problem `rate_limited` when the node sends too much. */
export function telemetryIntake({ database, prepared, watch, now }: IntakeOptions) {
  const limits = new RateLimits(lineLimit);
  const take = nodeBatches<NodeBatch>({
    ...{ mostWaiting: 2_000, mostInStatement: 200, newestCounts: false },
    async store(batches) {
      await prepared;
      return await database.transaction().execute(async (tx) => {
        const stored = await storeBatches(tx, batches);
        const news = batches.filter((_, index) => stored[index]?.is_new);
        await watch(tx, news);
        return stored.map(({ outcome }) => outcome);
      });
    },
  });

  return ({ nodeId, key }: Agent, { spool, number, samples, lines }: TelemetryBatch): Promise<void> =>
    take({ nodeId, key }, () => {
      limits.take(`node ${nodeId}`, undefined, lines.length);
      const time = now().getTime();
      return {
        ...{ nodeId, key, spool, number },
        samples: samples.filter((sample) => canBeStored(sample, time)),
        lines: lines.filter((line) => canBeStored(line, time)),
      };
    });
}

/** Whether there is a partition for its time, and its id is one. */
function canBeStored({ at, connector_instance_id }: Sample | LogLine, now: number): boolean {
  const time = new Date(at).getTime();
  return time > now - oldest && time < now + furthest && Number.isSafeInteger(connector_instance_id ?? 0);
}
