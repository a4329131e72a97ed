import type { DeploymentId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { problem } from '@sluice/service';
import type { DeploymentPath } from '../deployment-rules.ts';
import type { Shared } from '../shared.ts';
import {
  countHeld,
  findConsumers,
  findReportState,
  findStreams,
  hasStream,
  type HeldConsumer,
  type HeldStream,
} from './streams.store.ts';

export interface HeldPage<Held> {
  rows: Held[];
  total: number;
  reportedAt: Date | null;
  /** how many the broker has besides those that are listed */
  leftOut: number;
}

export type StreamsService = ReturnType<typeof streamsService>;

/** What the brokers of a deployment hold, as their agents have reported it. */
export function streamsService({ database }: Pick<Shared, 'database'>) {
  async function pageOf<Held>(
    id: DeploymentId,
    kind: 'streams' | 'consumers',
    [rows, total]: [Held[], number],
  ): Promise<HeldPage<Held>> {
    const { reported_at: reportedAt, ...totals } = await findReportState(database, id);
    const held = await countHeld(database, id);
    return { rows, total, reportedAt, leftOut: Math.max(0, totals[kind] - held[kind]) };
  }

  return {
    streams: async ({ deployment_id: id }: DeploymentPath, page: Page): Promise<HeldPage<HeldStream>> =>
      await pageOf(id, 'streams', await findStreams(database, id, page)),

    /** @throws Problem `not_found` for a stream that is not listed */
    async consumers(
      { deployment_id: id, stream_name: stream }: DeploymentPath & { stream_name: string },
      page: Page,
    ): Promise<HeldPage<HeldConsumer>> {
      if (!(await hasStream(database, id, stream))) throw problem('not_found');
      return await pageOf(id, 'consumers', await findConsumers(database, id, stream, page));
    },
  };
}
