import type { CostPart } from '@sluice/contracts';
import { done, ok, paged, type Handlers } from '@sluice/http';
import type { Core } from '../../core.ts';
import type { components, operations } from '../../generated/api.ts';
import type { BillingInfoService } from './billing-info.service.ts';
import { shownCents, shownExactly, shownParts, totalOf, type Exact } from '@sluice/billing/money';
import { daysAfter, monthsAfter, reportIdOf } from '@sluice/billing/months';
import { pricingOf } from './pricing.ts';
import type { UsageExportService } from './usage-export.service.ts';
import type { UsageService } from './usage.service.ts';
import type { DeploymentUsage, Granularity, Span, UsageLine } from './usage.store.ts';

type Schemas = components['schemas'];

export const billingOperations = (
  { prices }: Pick<Core, 'prices'>,
  info: BillingInfoService,
  usage: UsageService,
  exports: UsageExportService,
) =>
  ({
    getPricing: async () => Promise.resolve(ok(pricingOf(prices))),
    getBillingInfo: async ({ params }) => ok(await info.get(params)),
    replaceBillingInfo: ({ caller, params, body, ifMatch }) =>
      done(info.replace(caller, params, body, (stored) => ifMatch(() => stored))),

    async getUsage({ params, query }) {
      const { granularity, lines, behind, isLabelled, ...span } = await usage.usage(params, query);
      return ok({
        ...spanView(span),
        lines: lines.map((line) => lineView(line, span, granularity, isLabelled)),
        behind: behind.map(behindView),
      });
    },

    async exportUsage({ params, query, signal, allowed }) {
      const { type, name, content } = exports.open(params, query, { gone: signal, allowed });
      const headers = { 'content-disposition': `attachment; filename="${name}"` };
      return Promise.resolve({ ...ok(undefined), raw: { type, headers, content } });
    },

    getCurrentCost: async ({ params }) => ok(currentView(await usage.current(params))),
    getDeploymentCost: async ({ params }) => ok(currentView(await usage.deployment(params))),

    listBillingReports: ({ params, query, url }) =>
      paged({ query, url }, (page) => usage.reports(params, page), reportItem),

    async getBillingReport({ params }) {
      const report = await usage.report(params, params.report_id);
      return ok({
        ...reportItem(report),
        lines: report.lines.map(({ usage, total }) => reportLine(usage, total)),
        behind: report.behind.map(behindView),
      });
    },
  }) satisfies Partial<Handlers<operations>>;

const spanView = ({ from, to }: Span) => ({ from: from.toISOString(), to: to.toISOString() });

const behindView = ({
  usage_to,
  ...region
}: Awaited<ReturnType<UsageService['usage']>>['behind'][number]): Schemas['RegionBehind'] => ({
  ...region,
  usage_to: usage_to?.toISOString() ?? null,
});

function lineView(
  line: UsageLine & { component?: CostPart },
  { from, to }: Span,
  granularity: Granularity,
  isLabelled: boolean,
): Schemas['UsageLine'] {
  const { start, id, name, seconds, component } = line;
  const end = { hour: daysAfter(start, 1 / 24), day: daysAfter(start, 1), month: monthsAfter(start, 1) }[
    granularity
  ];
  return {
    ...spanView({ from: start < from ? from : start, to: end > to ? to : end }),
    ...(id !== null && name !== null && { about: { id, name } }),
    ...(component && { component }),
    ...(isLabelled && { label: name }),
    seconds: Number(seconds),
    total_usd: shownExactly(totalOf(line)),
    breakdown: shownParts(line),
  };
}

function currentView({
  total,
  forecast,
  parts,
  behind,
  ...span
}: Awaited<ReturnType<UsageService['current']>>): Schemas['CurrentCost'] {
  return {
    ...spanView(span),
    total_usd: shownCents(total),
    forecast_usd: shownCents(forecast),
    breakdown: shownParts(parts),
    behind: behind.map(behindView),
  };
}

const reportItem = ({ total, ...span }: Span & { total: Exact }): Schemas['BillingReportItem'] => ({
  id: reportIdOf(span.from),
  ...spanView(span),
  total_usd: shownCents(total),
});

const reportLine = (usage: DeploymentUsage, total: Exact): Schemas['BillingReportLine'] => ({
  deployment: { id: usage.deployment_id, name: usage.name },
  division: { id: usage.division_id, name: usage.division_name },
  environment: { id: usage.environment_id, name: usage.environment_name },
  cloud: usage.cloud,
  region: usage.region,
  seconds: Number(usage.seconds),
  total_usd: shownCents(total),
  breakdown: shownParts(usage),
});
