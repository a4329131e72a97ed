import { idOf, type TenantId } from '@sluice/contracts';
import type { MainApi } from './main-api.ts';
import { centsOf, monthAfter, monthOf, secondsIn, spentIn, type Charged } from './charged.ts';
import { costsUntil, type Costs } from './naive.ts';
import type { NaivePrices } from './naive-prices.ts';
import { creditsUsed, discountOn } from './naive-reductions.ts';
import type { Plan, PlannedDeployment } from './plan.ts';
import type { World } from './world.ts';

/** What was compared at a time, and what differed. */
export interface Compared {
  at: number;
  amounts: number;
  differences: string[];
  /** of the month before, in cents */
  total: bigint;
}

const shown = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
const timeOf = (at: number) => new Date(at * 1000).toISOString();
const page = { offset: 0, results: 100 };

/** Compares what main-api and the regions say with what the naive program has computed of the plan. */
export async function compare(world: World, lists: readonly NaivePrices[], at: number): Promise<Compared> {
  const { plan, main, made } = world;
  const compared: Compared = { at, amounts: 0, differences: [], total: 0n };
  const costs = new Map<number, Costs>(
    plan.deployments
      .filter(({ actions }) => actions[0]!.at <= at)
      .map((deployment) => [deployment.key, costsUntil(plan, deployment, lists, world.known, at)]),
  );
  const expect = (what: string, expected: bigint | string, seen: bigint | string) => {
    compared.amounts++;
    if (expected !== seen) compared.differences.push(`${what}: expected ${expected}, seen ${seen}`);
  };

  const [invoiced, discounted] = [
    await main.invoiced(['usage', 'correction']),
    await main.invoiced(['discount']),
  ];
  await compareIntervals(main, plan.deployments, costs, made, compared);
  for (let tenant = 0; tenant < plan.tenants; tenant++) {
    const path = { tenant_id: idOf<TenantId>(tenant + 1) };
    const own = plan.deployments
      .filter((one) => one.tenant === tenant)
      .flatMap(({ key }) => costs.get(key) ?? []);
    const [months] = await main.usage.reports(path, page as never);
    const listed = new Map(months.map(({ from, total }) => [from.getTime() / 1000, total.toFixed(2)]));
    const totalIn = (from: number, to: number) =>
      own.reduce((sum, { charged }) => sum + centsOf(spentIn(charged, from, to)), 0n);
    for (let month = monthOf(plan.begin); month < at; month = monthAfter(month)) {
      const isClosed = monthAfter(month) <= at;
      const total = totalIn(month, monthAfter(month));
      const isUsed = own.some(({ charged }) => secondsIn(charged, month, monthAfter(month)) > 0);
      if (isClosed && isUsed)
        expect(
          `the report of tenant ${tenant} for ${timeOf(month)}`,
          shown(total),
          listed.get(month) ?? 'none',
        );
      const isLast = isClosed && monthAfter(monthAfter(month)) > at;
      if (isLast) compared.total += total;
      // what has come late of the month before was not invoiced yet, but of those before that
      if (!isClosed || isLast) continue;
      const key = `${tenant + 1} ${timeOf(month)}`;
      const [seen, off] = [invoiced.get(key) ?? 0n, discounted.get(key) ?? 0n];
      expect(`the invoices of tenant ${tenant} for ${timeOf(month)}`, shown(total), shown(seen));
      const discount = discountOn(plan, tenant, month, total);
      expect(`the discounts of tenant ${tenant} for ${timeOf(month)}`, shown(discount), shown(off));
    }
    compareCredits(plan, tenant, await main.invoices(tenant + 1), expect);
    const current = await main.usage.current(path);
    const month = monthOf(at);
    expect(`the running month of tenant ${tenant}`, shown(totalIn(month, at)), current.total.toFixed(2));
    const forecast = own.reduce(
      (sum, cost) => sum + centsOf(spentIn(cost.charged, month, at) + cost.forecast),
      0n,
    );
    expect(`the forecast of tenant ${tenant}`, shown(forecast), current.forecast.toFixed(2));
  }
  await compareMeters(world, costs, expect);
  return compared;
}

/** Which invoice has what came late depends on the faults, so what each comes to without credits is taken as it is seen. */
function compareCredits(
  plan: Plan,
  tenant: number,
  invoices: Awaited<ReturnType<MainApi['invoices']>>,
  expect: (what: string, expected: string, seen: string) => void,
): void {
  const used = creditsUsed(
    plan,
    tenant,
    invoices.map(({ month, issued_at, net }) => ({
      ...{ month: month.getTime() / 1000, issuedAt: issued_at.getTime() / 1000, net: BigInt(net) },
    })),
  );
  for (const [index, { number, credit, total, net }] of invoices.entries()) {
    const expected = used[index] ?? 0n;
    expect(`the credits of invoice ${number} of tenant ${tenant}`, shown(expected), shown(BigInt(credit)));
    expect(
      `the total of invoice ${number} of tenant ${tenant}`,
      shown(BigInt(net) - expected),
      shown(BigInt(total)),
    );
  }
}

/** No gaps and no overlaps: to the second, what is stored is what was used. */
async function compareIntervals(
  main: MainApi,
  deployments: readonly PlannedDeployment[],
  costs: ReadonlyMap<number, Costs>,
  made: World['made'],
  compared: Compared,
): Promise<void> {
  const intervals = await main.intervals();
  for (const { key } of deployments) {
    const stored = intervals.get(made.get(key)?.uid ?? '') ?? [];
    const seen = stored.map(({ started_at, ended_at }) => ({
      from: started_at.getTime() / 1000,
      to: ended_at.getTime() / 1000,
    }));
    // what runs is reported until a time before now
    const until = costs.get(key)?.runs ? (seen.at(-1)?.to ?? 0) : Infinity;
    const expected = joined(
      (costs.get(key)?.charged ?? []).map(({ from, to }) => ({ from, to: Math.min(to, until) })),
    );
    compared.amounts++;
    const difference = firstDifference(expected, joined(seen));
    if (difference !== null)
      compared.differences.push(`deployment ${key}, id ${made.get(key)?.id}: ${difference}`);
  }
}

type Span = Pick<Charged, 'from' | 'to'>;

function joined(spans: Span[]): Span[] {
  const result: Span[] = [];
  for (const { from, to } of spans) {
    if (from >= to) continue;
    const last = result.at(-1);
    if (last && last.to === from) last.to = to;
    else result.push({ from, to });
  }
  return result;
}

function firstDifference(expected: Span[], seen: Span[]): string | null {
  const seconds = (spans: Span[]) => spans.reduce((sum, { from, to }) => sum + to - from, 0);
  const at = expected.findIndex(
    ({ from, to }, index) => seen[index]?.from !== from || seen[index]?.to !== to,
  );
  const index = at < 0 ? expected.length : at;
  if (at < 0 && seen.length === expected.length) return null;
  const say = (span?: Span) => (span ? `${timeOf(span.from)} to ${timeOf(span.to)}` : 'nothing');
  return `${seconds(expected)} seconds expected, ${seconds(seen)} seen; first ${say(expected[index])} expected, ${say(seen[index])} seen`;
}

async function compareMeters(
  world: World,
  costs: ReadonlyMap<number, Costs>,
  expect: (what: string, expected: bigint, seen: bigint) => void,
): Promise<void> {
  const { plan, made } = world;
  const meters = await Promise.all(plan.regions.map((_, region) => world.metersOf(region)));
  for (const { key, region } of plan.deployments) {
    const meter = meters[region]!.get(made.get(key)?.uid ?? '');
    const cost = costs.get(key);
    if (!meter || !cost?.exists) continue;
    const month = meter.month.getTime() / 1000;
    const expected = spentIn(cost.charged, month, meter.metered_to.getTime() / 1000);
    expect(`the spend meter of deployment ${key} for ${timeOf(month)}`, expected, BigInt(meter.cent_seconds));
  }
}
