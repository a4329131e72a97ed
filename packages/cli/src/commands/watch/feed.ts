import { setTimeout } from 'node:timers/promises';
import {
  getDeploymentAtSupervisor,
  listAllDeployments,
  listMetrics,
  paginate,
  SluiceError,
  type TenantDeployment,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { pathOf } from '@sluice/apply/place-path';
import { within } from '../deployments/read.ts';
import { seriesOf } from '../metrics/series.ts';
import type { Row } from './rows.ts';

/** how many regions are asked at once, and deployments between two looks at the list */
const atOnce = 8;
const mostBetween = 24;
/** what is shown of a deployment is read anew after this time, in milliseconds */
const freshMs = 5_000;

/** The deployments of a place, read again and again. */
export interface Feed {
  rows(): Row[];
  /** what cannot be read now, a sentence; what is shown is of before */
  problem(): string | undefined;
  /** These are read first. */
  prefer(ids: readonly number[]): void;
  /** Reads until the signal is aborted. @throws SluiceError that another attempt does not mend */
  run(changed: () => void, signal: AbortSignal): Promise<void>;
}

export async function createFeed(cli: Cli, at: string | undefined, intervalMs: number): Promise<Feed> {
  const { client, tenantId, context } = await cli.session();
  const path = { tenant_id: await tenantId() };
  const query = await within(cli, at ?? context.place);
  // what fails is shown, and tried again with the next look
  const once = client.with({ attempts: 1, maxElapsedMs: 10_000, timeoutMs: 10_000 });
  const rows = new Map<number, Row & { readAt: number }>();
  let problem: string | undefined;
  let preferred: readonly number[] = [];

  async function readList(signal: AbortSignal): Promise<void> {
    const found: TenantDeployment[] = [];
    for await (const one of paginate(listAllDeployments, { client: once, path, query, signal }))
      found.push(one);
    const ids = new Set<number>(found.map(({ id }) => id));
    for (const id of rows.keys()) if (!ids.has(id)) rows.delete(id);
    for (const deployment of found) {
      const { id, name, division, environment } = deployment;
      const before = rows.get(id);
      // what the region has said is older than a change that the Main API knows
      if (before && before.deployment.status !== deployment.status) before.readAt = 0;
      const place = pathOf(division.name, environment.name, name);
      rows.set(id, { live: undefined, series: [], readAt: 0, ...before, deployment, place });
    }
  }

  async function readRow(id: number, signal: AbortSignal): Promise<void> {
    const row = rows.get(id);
    if (!row) return;
    row.readAt = performance.now();
    const call = { client: once.at(row.deployment.supervisor_url), path: { deployment_id: id }, signal };
    const newest = { runtime: 'broker', results: Math.min(100, row.deployment.nodes_count * 3) } as const;
    const [live, measured] = await Promise.allSettled([
      getDeploymentAtSupervisor(call),
      listMetrics({ ...call, query: newest }),
    ]);
    if (live.status === 'fulfilled') row.live = live.value.data;
    else if (isGone(live.reason)) row.live = undefined;
    else report(live.reason, `${row.deployment.cloud} ${row.deployment.region}`);
    if (measured.status === 'fulfilled') row.series = seriesOf(measured.value.data.items);
  }

  function report(error: unknown, from: string): void {
    if (!(error instanceof SluiceError)) throw error;
    problem = `${from}: ${error.detail}`;
  }

  async function readRows(changed: () => void, signal: AbortSignal): Promise<void> {
    const rank = new Map(preferred.map((id, position) => [id, position]));
    const due = [...rows]
      .filter(([, { readAt }]) => performance.now() - readAt >= freshMs || readAt === 0)
      .sort(([one, { readAt }], [other, { readAt: otherReadAt }]) => {
        const [first = Infinity, second = Infinity] = [rank.get(one), rank.get(other)];
        return first === second ? readAt - otherReadAt : first - second;
      })
      .slice(0, mostBetween)
      .map(([id]) => id);
    const work = async () => {
      for (let id = due.shift(); id !== undefined; id = due.shift()) {
        await readRow(id, signal);
        changed();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  return {
    rows: () => [...rows.values()],
    problem: () => problem,
    prefer: (ids) => void (preferred = ids),
    async run(changed, signal) {
      while (!signal.aborted) {
        problem = undefined;
        try {
          await readList(signal);
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof SluiceError) || isFinal(error)) throw error;
          report(error, 'Main API');
        }
        changed();
        await readRows(changed, signal);
        changed();
        await setTimeout(intervalMs, undefined, { signal });
      }
    },
  };
}

const isGone = (error: unknown) => error instanceof SluiceError && error.status === 404;

/** The credential, a right or the tenant is gone. */
const isFinal = ({ status }: SluiceError): boolean => [400, 401, 403, 404].includes(status);
