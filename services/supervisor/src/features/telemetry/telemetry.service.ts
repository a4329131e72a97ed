import type { Page, ParamsOf, QueryOf } from '@sluice/http';
import type { DeploymentPath } from '../deployment-rules.ts';
import type { Database } from '../../database/tables.ts';
import type { operations } from '../../generated/api.ts';
import {
  findLines,
  findMeasured,
  findNewest,
  requireNode,
  shownSince,
  type FoundLines,
  type Measured,
  type Resolution,
  type Watched,
} from './telemetry.store.ts';
import { exposition } from './exposition.ts';
import { lastDay, lastHour, rangeOf, resolutionOf, type TimeQuery } from './telemetry-range.ts';

type NodePath = ParamsOf<operations['listNodeMetrics']>;

export interface TelemetryOptions {
  database: Database;
  /** for how many days each sample is kept */
  sampleDays: number;
  now: () => Date;
}

/** A page of what was measured, and what each entry covers, in seconds. */
export interface MeasuredPage {
  entries: Measured[];
  total: number;
  resolution: Resolution;
}

export type TelemetryService = ReturnType<typeof telemetryService>;

/** What the nodes of a deployment have measured and logged (completions, "Supervisor details"), for as long as it keeps that. */
export function telemetryService({ database, sampleDays, now }: TelemetryOptions) {
  async function measured(
    which: Omit<Watched, 'from' | 'to'>,
    query: TimeQuery,
    page: Page,
    withStatus: boolean,
  ): Promise<MeasuredPage> {
    const since = await shownSince(database, which.deploymentId);
    const range = rangeOf(query, since, now(), lastHour);
    const resolution = resolutionOf(range, now(), sampleDays);
    const watched = { ...which, ...range };
    return { ...(await findMeasured(database, watched, resolution, page, withStatus)), resolution };
  }

  /** @param withStatus only of what has a status, as heartbeats do */
  const ofDeployment =
    (withStatus: boolean) =>
    async ({ deployment_id }: DeploymentPath, query: QueryOf<operations['listMetrics']>, page: Page) =>
      await measured(
        { deploymentId: deployment_id, nodeId: query.node, runtime: query.runtime },
        query,
        page,
        withStatus,
      );

  const ofNode =
    (withStatus: boolean) =>
    async ({ deployment_id, node_id, runtime }: NodePath, query: TimeQuery, page: Page) => {
      await requireNode(database, deployment_id, node_id);
      return await measured(
        { deploymentId: deployment_id, nodeId: node_id, runtime },
        query,
        page,
        withStatus,
      );
    };

  return {
    metrics: ofDeployment(false),
    heartbeats: ofDeployment(true),
    nodeMetrics: ofNode(false),
    nodeHeartbeats: ofNode(true),

    /** The newest measurements in Prometheus's text format. */
    scrape: async ({ deployment_id }: DeploymentPath): Promise<string> =>
      await exposition(await findNewest(database, deployment_id)),

    async lines(
      { deployment_id }: DeploymentPath,
      { node, runtime, level, message, ...times }: QueryOf<operations['listLogLines']>,
      page: Page,
    ): Promise<FoundLines> {
      const range = rangeOf(times, await shownSince(database, deployment_id), now(), lastDay);
      return await findLines(database, deployment_id, range, { nodeId: node, runtime, level, message }, page);
    },
  };
}
