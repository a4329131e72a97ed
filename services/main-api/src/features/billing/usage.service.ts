import { costParts, type CostPart, type TenantId, firstOfMonth } from '@sluice/contracts';
import { queryInstant, type Page } from '@sluice/http';
import { problem, type Problem } from '@sluice/service';
import type { Core } from '../../core.ts';
import {
  findDeployments,
  getDeployment,
  listBillable,
  type DeploymentPath,
} from '@sluice/main-store/deployments.store';
import type { TenantPath } from '@sluice/main-store/tenants.store';
import { exact, sumOf, toCents, totalOf, type Exact } from '@sluice/billing/money';
import { monthCost, type Running } from './month-cost.ts';
import { daysAfter, monthOfReport, monthsAfter } from '@sluice/billing/months';
import {
  listBehind,
  listDeploymentUsage,
  listMonths,
  listUsageLines,
  type Granularity,
  type Group,
  type Span,
  type UsageLine,
  type UsageScope,
} from './usage.store.ts';

export type UsageService = ReturnType<typeof usageService>;

export interface UsageQuery {
  from?: string;
  to?: string;
  granularity?: Granularity;
  group_by?: Group | 'component' | 'label';
  /** the key, of `group_by` label */
  label?: string;
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

  async function current(tenantId: TenantId, running: Running[], scope?: UsageScope) {
    const cost = await monthCost({ database, prices, now }, tenantId, running, scope);
    return { ...cost, behind: await behind(tenantId, cost.to) };
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
      const { granularity = 'day' } = query;
      const { group, byComponent } = groupOf(query);
      const most = byComponent ? mostLines / costParts.length : mostLines;
      const lines = await listUsageLines(database, tenant_id, span, { granularity, group }, most + 1);
      if (lines.length > most)
        throw queryProblem(
          'granularity',
          'too_large',
          `gives more than ${mostLines} lines: ask for a shorter time, or for longer or fewer lines`,
        );
      return {
        ...{ ...span, granularity, isLabelled: typeof group === 'object' },
        lines: byComponent ? lines.flatMap(componentsOf) : lines,
        behind: await behind(tenant_id, span.to),
      };
    },

    /** The running month of a tenant. */
    async current({ tenant_id }: TenantPath) {
      const billable = await findDeployments(database, await listBillable(database, tenant_id));
      return await current(
        tenant_id,
        billable.map((deployment) => ({ deployment })),
      );
    },

    /** The running month of a deployment. @throws Problem `not_found` */
    async deployment(path: DeploymentPath) {
      const deployment = await getDeployment(database, path);
      return await current(path.tenant_id, [{ deployment }], { deployment_id: deployment.id });
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

function groupOf({ label, group_by = label === undefined ? undefined : 'label' }: UsageQuery) {
  if (group_by === 'label' && label === undefined)
    throw queryProblem('label', 'required', 'is required by group_by=label: the key of a label');
  if (group_by !== 'label' && label !== undefined)
    throw queryProblem('label', 'not_together', 'belongs to group_by=label');
  const byComponent = group_by === 'component';
  if (byComponent || group_by === undefined) return { group: undefined, byComponent };
  return { group: group_by === 'label' ? { label: label ?? '' } : group_by, byComponent };
}

/** A line for each part of the price that has cost anything. */
const componentsOf = (line: UsageLine) =>
  costParts.flatMap((component) => {
    if (exact(line[component]).isZero()) return [];
    const parts = costParts.map((part) => [part, part === component ? line[part] : '0']);
    return [{ ...line, ...(Object.fromEntries(parts) as Record<CostPart, string>), component }];
  });

function queryProblem(field: string, code: string, message: string): Problem {
  return problem('invalid_request', { fieldIssues: [{ path: `/query/${field}`, code, message }] });
}

/** The time of a query: the running month unless it says otherwise. @throws Problem `invalid_request` */
export function spanOf({ from: begin, to: end, granularity }: UsageQuery, now: Date): Span {
  const from = begin === undefined ? firstOfMonth(now) : queryInstant('from', begin);
  const to = end === undefined ? now : queryInstant('to', end);
  if (to <= from) throw queryProblem('to', 'too_small', 'has to be after from');
  if (to > monthsAfter(from, mostMonths))
    throw queryProblem('to', 'too_large', `has to be at most ${mostMonths} months after from`);
  if (granularity === 'hour' && to > daysAfter(from, mostDaysByHour))
    throw queryProblem('granularity', 'not_together', `can be hour for at most ${mostDaysByHour} days`);
  return { from, to };
}
