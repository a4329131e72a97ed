import type { DeploymentId } from '@sluice/contracts';
import type { Page, QueryOf } from '@sluice/http';
import { problem } from '@sluice/service';
import type { DeploymentPath } from '../deployment-rules.ts';
import type { operations } from '../../generated/api.ts';
import { listRaisedLags } from '../telemetry/consumer-alerts.store.ts';
import { stepsFrom } from '../telemetry/series-steps.ts';
import { lastHour, rangeOf } from '../telemetry/telemetry-range.ts';
import type { TelemetryOptions } from '../telemetry/telemetry.service.ts';
import { shownSince } from '../telemetry/telemetry.store.ts';
import {
  countHeld,
  findConsumers,
  findLag,
  findReportState,
  findStreams,
  hasStream,
  type HeldConsumer,
  type HeldStream,
  type LagPoint,
} from './streams.store.ts';

export interface HeldPage<Held> {
  rows: Held[];
  total: number;
  reportedAt: Date | null;
  /** how many the broker has besides those that are listed */
  leftOut: number;
}

const day = 86_400_000;

export type StreamsService = ReturnType<typeof streamsService>;

/** What the brokers of a deployment hold, as their agents have reported it. */
export function streamsService({ database, now, sampleDays }: TelemetryOptions) {
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

    /** @throws Problem `not_found` for a stream that is not listed */
    async lag(
      { deployment_id: id, stream_name: stream }: DeploymentPath & { stream_name: string },
      query: QueryOf<operations['getConsumerLag']>,
    ) {
      if (!(await hasStream(database, id, stream))) throw problem('not_found');
      const { consumers, points = 300, aggregate = 'avg' } = query;
      const range = rangeOf(query, await shownSince(database, id), now(), lastHour);
      const isShort = range.to.getTime() - range.from.getTime() <= 3 * day + 1;
      const hasMinutes = isShort && now().getTime() - range.from.getTime() < (sampleDays - 1) * day;
      const { stepSeconds, times } = stepsFrom(range, points, hasMinutes ? 60 : 3_600);
      const source = hasMinutes ? 'consumer_minutes' : 'consumer_hours';
      const of = { deploymentId: id, stream, consumers, ...range, source, stepSeconds, aggregate } as const;
      const columns = columnsOf(await findLag(database, of), times);
      const shown = columns.map(({ consumer }) => consumer);
      const alerts = await listRaisedLags(database, { deploymentId: id, stream, consumers: shown });
      return { stepSeconds, aggregate, times, columns, alerts };
    },
  };
}

/** The points of each consumer, which come one after the other, in the places of their times. */
function columnsOf(points: readonly LagPoint[], times: readonly Date[]) {
  const places = new Map(times.map((time, place) => [time.getTime(), place]));
  const byConsumer = Map.groupBy(points, ({ consumer }) => consumer);
  return [...byConsumer].map(([consumer, found]) => {
    const values = Array<number | null>(times.length).fill(null);
    for (const { at, value } of found) {
      const place = places.get(at.getTime());
      if (place !== undefined) values[place] = value;
    }
    return { consumer, values };
  });
}
