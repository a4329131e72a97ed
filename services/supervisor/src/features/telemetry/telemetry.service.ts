import type { DeploymentId, NodeId, TelemetryRuntime } from '@sluice/contracts';
import type { Page, QueryOf } from '@sluice/http';
import type { DeploymentPath } from '../deployment-rules.ts';
import type { operations } from '../../generated/api.ts';
import type { Shared } from '../shared.ts';
import { requireNode } from '@sluice/region-store/nodes.store';
import {
  findLines,
  findMeasured,
  findNewest,
  shownSince,
  type Measured,
  type Resolution,
} from './telemetry.store.ts';
import { findSeries, type SeriesPoint } from './series.store.ts';
import { stepsOf } from './series-steps.ts';
import { exposition } from './exposition.ts';
import { lastDay, lastHour, rangeOf, resolutionOf, type TimeQuery } from './telemetry-range.ts';

export interface TelemetryOptions extends Pick<Shared, 'database' | 'now'> {
  /** for how many days each sample is kept */
  sampleDays: number;
}

/** A page of what was measured, and what each entry covers, in seconds. */
export interface MeasuredPage {
  entries: Measured[];
  total: number;
  resolution: Resolution;
}

/** The node and the program, of the path or of the query; without them all of the deployment. */
interface Of {
  deployment_id: DeploymentId;
  node_id?: NodeId;
  runtime?: TelemetryRuntime;
}
type MeasuredQuery = TimeQuery & { node?: NodeId; runtime?: TelemetryRuntime };

export type TelemetryService = ReturnType<typeof telemetryService>;

/** What the nodes of a deployment have measured and logged (completions, "Supervisor details"), for as long as it keeps that. */
export function telemetryService({ database, sampleDays, now }: TelemetryOptions) {
  /** @param withStatus only of what has a status, as heartbeats do */
  const measured =
    (withStatus: boolean) =>
    async ({ deployment_id, ...of }: Of, query: MeasuredQuery, page: Page): Promise<MeasuredPage> => {
      if (of.node_id !== undefined) await requireNode(database, deployment_id, of.node_id);
      const range = rangeOf(query, await shownSince(database, deployment_id), now(), lastHour);
      const resolution = resolutionOf(range, now(), sampleDays);
      const [nodeId, runtime] = [of.node_id ?? query.node, of.runtime ?? query.runtime];
      const watched = { deploymentId: deployment_id, nodeId, runtime, ...range };
      return { ...(await findMeasured(database, watched, resolution, page, withStatus)), resolution };
    };

  return {
    metrics: measured(false),
    heartbeats: measured(true),

    /** The newest measurements in Prometheus's text format. */
    scrape: async ({ deployment_id }: DeploymentPath) =>
      await exposition(await findNewest(database, deployment_id)),

    /** Chosen metrics as columns over the steps of a range. */
    async series({ deployment_id }: DeploymentPath, query: QueryOf<operations['getMetricSeries']>) {
      const { metrics, node: nodeId, points = 300, aggregate = 'avg', connector_instance } = query;
      const range = rangeOf(query, await shownSince(database, deployment_id), now(), lastHour);
      const { source, stepSeconds, times } = stepsOf(range, points, now(), sampleDays);
      const of = {
        deploymentId: deployment_id,
        nodeId,
        instanceId: connector_instance ?? 0,
        metrics,
        ...range,
      };
      const found = await findSeries(database, { ...of, source, stepSeconds, aggregate });
      return { step_seconds: stepSeconds, aggregate, times, columns: columnsOf(found, times) };
    },

    async lines({ deployment_id }: DeploymentPath, query: QueryOf<operations['listLogLines']>, page: Page) {
      const range = rangeOf(query, await shownSince(database, deployment_id), now(), lastDay);
      return await findLines(database, deployment_id, range, { ...query, nodeId: query.node }, page);
    },
  };
}

/** A metric of a node, with a value for each of the times. */
interface Column extends Pick<SeriesPoint, 'metric' | 'node_id'> {
  values: (number | null)[];
}

/** The points of each metric and node, which come one after the other, in the places of their times. */
function columnsOf(points: readonly SeriesPoint[], times: readonly Date[]): Column[] {
  const places = new Map(times.map((time, place) => [time.getTime(), place]));
  const columns: Column[] = [];
  for (const { metric, node_id, at, value } of points) {
    let column = columns.at(-1);
    if (column?.metric !== metric || column.node_id !== node_id) {
      column = { metric, node_id, values: Array<number | null>(times.length).fill(null) };
      columns.push(column);
    }
    const place = places.get(at.getTime());
    if (place !== undefined) column.values[place] = value;
  }
  return columns;
}
