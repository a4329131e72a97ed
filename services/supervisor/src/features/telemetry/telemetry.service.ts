import type { DeploymentId, NodeId, TelemetryRuntime } from '@sluice/contracts';
import type { Page, QueryOf } from '@sluice/http';
import type { DeploymentPath } from '../deployment-rules.ts';
import type { operations } from '../../generated/api.ts';
import type { Shared } from '../shared.ts';
import {
  findLines,
  findMeasured,
  findNewest,
  requireNode,
  shownSince,
  type Measured,
  type Resolution,
} from './telemetry.store.ts';
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

    async lines({ deployment_id }: DeploymentPath, query: QueryOf<operations['listLogLines']>, page: Page) {
      const range = rangeOf(query, await shownSince(database, deployment_id), now(), lastDay);
      return await findLines(database, deployment_id, range, { ...query, nodeId: query.node }, page);
    },
  };
}
