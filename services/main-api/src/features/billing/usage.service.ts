import { costParts, statusIs, type CostPart, type DeploymentId, type TenantId } from '@sluice/contracts';
import { queryInstant, type Page } from '@sluice/http';
import { problem, type Problem } from '@sluice/service';
import { priceOf } from '../../catalogue/deployment-prices.ts';
import type { Core } from '../../core.ts';
import {
  findDeployments,
  getDeployment,
  listBillable,
  type DeploymentPath,
  type PlacedDeployment,
} from '../../stores/deployments.store.ts';
import type { TenantPath } from '../../stores/tenants.store.ts';
import { exact, sumOf, toCents, totalOf, zero, type CentSeconds, type Exact } from './money.ts';
import { daysAfter, firstOfMonth, monthOfReport, monthsAfter } from './months.ts';
import {
  listBehind,
  listDeploymentUsage,
  listMonths,
  listUsageLines,
  type DeploymentUsage,
  type Granularity,
  type Group,
  type Span,
} from './usage.store.ts';

export type UsageService = ReturnType<typeof usageService>;

export interface UsageQuery {
  from?: string;
  to?: string;
  granularity?: Granularity;
  group_by?: Group;
}

const mostLines = 10_000;
const mostMonths = 13;
const mostDaysByHour = 31;
/** regions report once an hour */
const behindMilliseconds = 2 * 3_600_000;

/** What tenants have used and what that costs, from the intervals that regions report (completions, "Billing"). */
export function usageService({ database, prices, now }: Pick<Core, 'database' | 'prices' | 'now'>) {
  const behind = (tenantId: TenantId, to: Date) =>
    listBehind(database, tenantId, new Date(Math.min(to.getTime(), now().getTime() - behindMilliseconds)));

  /** What a deployment costs until `to`: what runs on costs, from the end of the usage that is reported, the prices that are valid by then. */
  function until(to: Date, from: Date, { usage, deployment }: Metered): CentSeconds {
    const reported = usage ?? nothing;
    if (!deployment || !statusIs('billable', deployment.status) || deployment.delete_requested_at)
      return reported;
    const { status_changed_at, created_at } = deployment;
    const since = Math.max(
      ...[from, usage?.last_to ?? from, status_changed_at ?? created_at].map((time) => time.getTime()),
    );
    const lists = prices.since(deployment.tenant_id, new Date(since));
    const costs = lists.map(({ from: start, list }, position) => {
      const end = Math.min(to.getTime(), lists[position + 1]?.from.getTime() ?? Infinity);
      const seconds = Math.max(0, Math.floor((end - start.getTime()) / 1000));
      return { price: priceOf(list, deployment), seconds };
    });
    return byPart((part) =>
      costs.reduce(
        (sum, { price, seconds }) => sum.plus(exact(price?.[part] ?? 0).times(seconds)),
        exact(reported[part]),
      ),
    );
  }

  async function current(
    tenantId: TenantId,
    deployments: PlacedDeployment[],
    only: DeploymentId | null = null,
  ) {
    const at = now();
    const [from, end] = [firstOfMonth(at), monthsAfter(firstOfMonth(at), 1)];
    const used = await listDeploymentUsage(database, tenantId, { from, to: at }, only);
    const byUid = new Map<string, Metered>(used.map((usage) => [usage.uid, { usage }]));
    for (const deployment of deployments)
      byUid.set(deployment.uid, { ...byUid.get(deployment.uid), deployment });
    const metered = [...byUid.values()];
    const costs = (to: Date) => metered.map((one) => until(to, from, one));
    // each deployment is rounded once, as in its report
    const total = (amounts: CentSeconds[]) => sumOf(amounts.map((amount) => toCents(totalOf(amount))));
    const costsNow = costs(at);
    return {
      ...{ from, to: at, total: total(costsNow), forecast: total(costs(end)) },
      parts: byPart((part) => sumOf(costsNow.map((amount) => exact(amount[part])))),
      behind: await behind(tenantId, at),
    };
  }

  async function report(tenantId: TenantId, from: Date) {
    const span = { from, to: monthsAfter(from, 1) };
    const used = await listDeploymentUsage(database, tenantId, span);
    const lines = used.map((usage) => ({ usage, total: toCents(totalOf(usage)) }));
    return { ...span, lines, total: sumOf(lines.map(({ total }) => total)) };
  }

  return {
    /** @throws Problem `invalid_request` for a time that is no time, or has too many lines */
    async usage({ tenant_id }: TenantPath, query: UsageQuery) {
      const span = spanOf(query, now());
      const { granularity = 'day', group_by: group } = query;
      const lines = await listUsageLines(database, tenant_id, span, { granularity, group }, mostLines + 1);
      if (lines.length > mostLines)
        throw queryProblem(
          'granularity',
          'too_large',
          `gives more than ${mostLines} lines: ask for a shorter time, or for longer or fewer lines`,
        );
      return { ...span, granularity, lines, behind: await behind(tenant_id, span.to) };
    },

    /** The running month of a tenant. */
    async current({ tenant_id }: TenantPath) {
      const billable = await findDeployments(database, await listBillable(database, tenant_id));
      return await current(tenant_id, billable);
    },

    /** The running month of a deployment. @throws Problem `not_found` */
    async deployment(path: DeploymentPath) {
      const deployment = await getDeployment(database, path);
      return await current(path.tenant_id, [deployment], deployment.id);
    },

    async reports({ tenant_id }: TenantPath, page: Page): Promise<[(Span & { total: Exact })[], number]> {
      const [months, count] = await listMonths(database, tenant_id, page);
      const spans = months.map(({ month, total }) => ({
        ...{ from: month, to: monthsAfter(month, 1) },
        total: exact(total),
      }));
      return [spans, count];
    },

    /** @throws Problem `not_found` for a month in which nothing was used */
    async report({ tenant_id }: TenantPath, id: number) {
      const month = monthOfReport(id);
      const found = month && (await report(tenant_id, month));
      if (!found || found.lines.length === 0) throw problem('not_found');
      return { ...found, behind: await behind(tenant_id, found.to) };
    },
  };
}

interface Metered {
  usage?: DeploymentUsage;
  /** where it runs, perhaps */
  deployment?: PlacedDeployment;
}

const byPart = (amount: (part: CostPart) => Exact) =>
  Object.fromEntries(costParts.map((part) => [part, amount(part)])) as Record<CostPart, Exact>;
const nothing: CentSeconds = byPart(() => zero);

function queryProblem(field: string, code: string, message: string): Problem {
  return problem('invalid_request', { fieldIssues: [{ path: `/query/${field}`, code, message }] });
}

/** @throws Problem `invalid_request` */
function spanOf({ from: begin, to: end, granularity }: UsageQuery, now: Date): Span {
  const from = begin === undefined ? firstOfMonth(now) : queryInstant('from', begin);
  const to = end === undefined ? now : queryInstant('to', end);
  if (to <= from) throw queryProblem('to', 'too_small', 'has to be after from');
  if (to > monthsAfter(from, mostMonths))
    throw queryProblem('to', 'too_large', `has to be at most ${mostMonths} months after from`);
  if (granularity === 'hour' && to > daysAfter(from, mostDaysByHour))
    throw queryProblem('granularity', 'not_together', `can be hour for at most ${mostDaysByHour} days`);
  return { from, to };
}
