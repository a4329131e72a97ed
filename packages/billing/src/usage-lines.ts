import {
  costParts,
  firstOfMonth,
  type Cloud,
  type CostPart,
  type DeploymentSpec,
  type DeploymentId,
  type DivisionId,
  type EnvironmentId,
  type Labels,
  type TenantId,
  type Tier,
} from '@sluice/contracts';
import { quoted } from '@sluice/contracts/audit-export';
import { exact, dollarsOf, totalOf, zero, type CentSeconds, type Exact } from './money.ts';

/** A time that a deployment ran at one price with the same labels. */
export interface ExportedUsage extends Record<CostPart, number> {
  billed_id: number;
  uid: string;
  tenant_id: TenantId;
  deployment_id: DeploymentId;
  name: string;
  division_id: DivisionId;
  division_name: string;
  environment_id: EnvironmentId;
  environment_name: string;
  cloud: Cloud;
  region: string;
  tier: Tier;
  nodes: number;
  storage_type: DeploymentSpec['storage']['type'];
  storage_size: number | null;
  target_network_tput: number | null;
  availability_mode: DeploymentSpec['availability_mode'] | null;
  telemetry_days: number | null;
  price_list: number | null;
  labels: Labels | null;
  started_at: Date;
  ended_at: Date;
  /** exactly, as text */
  seconds: string;
}

/**
 * Costs as an export has them: ten digits after the point. The rest that is rounded off goes along to the next line of the deployment, so
 * that its lines add up; a cost is a multiple of a 262,800,000th of a dollar, so the sum rounds to the same cent as the exact one.
 */
interface ExportedCosts {
  total: string;
  parts: readonly string[];
}

const digits = 10;

/** Rounds the costs of a deployment's lines, one after the other. */
export function lineCosts(): (usage: ExportedUsage) => ExportedCosts {
  const amounts = ['total', ...costParts] as const;
  let billed: number | undefined;
  let sums = new Map<string, Exact>();
  return (usage) => {
    if (usage.billed_id !== billed) sums = new Map();
    billed = usage.billed_id;
    const seconds = exact(usage.seconds);
    const used = Object.fromEntries(
      costParts.map((part) => [part, exact(usage[part]).times(seconds)]),
    ) as CentSeconds;
    const [total = '', ...parts] = amounts.map((amount) => {
      const before = sums.get(amount) ?? zero;
      const after = before.plus(amount === 'total' ? totalOf(used) : dollarsOf(used[amount]));
      sums.set(amount, after);
      return after.toDecimalPlaces(digits).minus(before.toDecimalPlaces(digits)).toFixed(digits);
    });
    return { total, parts };
  };
}

type Line = (usage: ExportedUsage, costs: ExportedCosts) => string;
interface Format {
  type: string;
  extension: string;
  /** the names of the columns */
  head: string;
  line: Line;
}

const time = (value: Date) => value.toISOString();

const ndjson: Line = (usage, { total, parts }) =>
  JSON.stringify({
    from: time(usage.started_at),
    to: time(usage.ended_at),
    seconds: Number(usage.seconds),
    deployment: { id: usage.deployment_id, uid: usage.uid, name: usage.name },
    division: { id: usage.division_id, name: usage.division_name },
    environment: { id: usage.environment_id, name: usage.environment_name },
    ...{ cloud: usage.cloud, region: usage.region, tier: usage.tier, nodes: usage.nodes },
    storage: { type: usage.storage_type, size: usage.storage_size },
    target_network_tput: usage.target_network_tput,
    availability_mode: usage.availability_mode,
    telemetry_days: usage.telemetry_days,
    price_list: usage.price_list,
    labels: usage.labels ?? {},
    total_usd: total,
    breakdown: Object.fromEntries(costParts.map((part, position) => [`${part}_usd`, parts[position]])),
  });

type Column = readonly [
  name: string,
  value: (usage: ExportedUsage, costs: ExportedCosts) => string | number | null | undefined,
];

const csvColumns: readonly Column[] = [
  ['from', (usage) => time(usage.started_at)],
  ['to', (usage) => time(usage.ended_at)],
  ['seconds', (usage) => Number(usage.seconds)],
  ['deployment_id', (usage) => usage.deployment_id],
  ['deployment_uid', (usage) => usage.uid],
  ['deployment_name', (usage) => quoted(usage.name)],
  ['division_id', (usage) => usage.division_id],
  ['division_name', (usage) => quoted(usage.division_name)],
  ['environment_id', (usage) => usage.environment_id],
  ['environment_name', (usage) => quoted(usage.environment_name)],
  ['cloud', (usage) => usage.cloud],
  ['region', (usage) => usage.region],
  ['tier', (usage) => usage.tier],
  ['nodes', (usage) => usage.nodes],
  ['storage_type', (usage) => usage.storage_type],
  ['storage_size', (usage) => usage.storage_size],
  ['target_network_tput', (usage) => usage.target_network_tput],
  ['availability_mode', (usage) => usage.availability_mode],
  ['telemetry_days', (usage) => usage.telemetry_days],
  ['price_list', (usage) => usage.price_list],
  ['labels', (usage) => quoted(JSON.stringify(usage.labels ?? {}))],
  ...costParts.map((part, position): Column => [`${part}_usd`, (_, { parts }) => parts[position]]),
  ['total_usd', (_, { total }) => total],
];

const provider = () => 'Sluice';
const hours = (usage: ExportedUsage) => exact(usage.seconds).div(3600).toFixed(digits);

/** FOCUS 1.1 (focus.finops.org). Its columns that do not apply are empty. */
const focusColumns: readonly Column[] = [
  ['BilledCost', (_, { total }) => total],
  ['BillingAccountId', (usage) => usage.tenant_id],
  ['BillingAccountName', (usage) => `Tenant ${usage.tenant_id}`],
  ['BillingCurrency', () => 'USD'],
  ['BillingPeriodEnd', (usage) => time(firstOfMonth(usage.started_at, 1))],
  ['BillingPeriodStart', (usage) => time(firstOfMonth(usage.started_at))],
  ['ChargeCategory', () => 'Usage'],
  ['ChargeClass', () => ''],
  ['ChargeDescription', (usage) => quoted(`${usage.tier}, ${usage.nodes} × ${usage.storage_type}`)],
  ['ChargeFrequency', () => 'Usage-Based'],
  ['ChargePeriodEnd', (usage) => time(usage.ended_at)],
  ['ChargePeriodStart', (usage) => time(usage.started_at)],
  ['ConsumedQuantity', hours],
  ['ConsumedUnit', () => 'Hours'],
  ['ContractedCost', (_, { total }) => total],
  ['EffectiveCost', (_, { total }) => total],
  ['InvoiceIssuerName', provider],
  ['ListCost', (_, { total }) => total],
  ['PricingCategory', () => 'Standard'],
  ['PricingQuantity', hours],
  ['PricingUnit', () => 'Hours'],
  ['ProviderName', provider],
  ['PublisherName', provider],
  ['RegionId', (usage) => usage.region],
  ['RegionName', (usage) => usage.region],
  ['ResourceId', (usage) => usage.uid],
  ['ResourceName', (usage) => quoted(usage.name)],
  ['ResourceType', () => 'Deployment'],
  ['ServiceCategory', () => 'Integration'],
  ['ServiceName', () => 'Message streaming'],
  ['SkuId', (usage) => `${usage.cloud}/${usage.tier}`],
  [
    'SkuPriceId',
    (usage) => (usage.price_list === null ? '' : `${usage.cloud}/${usage.tier}/${usage.price_list}`),
  ],
  ['SubAccountId', (usage) => usage.division_id],
  ['SubAccountName', (usage) => quoted(usage.division_name)],
  ['Tags', (usage) => quoted(JSON.stringify(usage.labels ?? {}))],
];

const csv = (columns: readonly Column[]) => ({
  type: 'text/csv; charset=utf-8',
  extension: 'csv',
  head: `${columns.map(([name]) => name).join(',')}\n`,
  line: ((usage, costs) => columns.map(([, value]) => value(usage, costs) ?? '').join(',')) satisfies Line,
});

export const usageFormats = {
  ndjson: { type: 'application/x-ndjson', extension: 'ndjson', head: '', line: ndjson },
  csv: csv(csvColumns),
  focus: csv(focusColumns),
} as const satisfies Record<string, Format>;
