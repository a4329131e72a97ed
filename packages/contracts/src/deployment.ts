import { z } from 'zod';
import { cloudAccessSchema, cloudSchema } from './clouds.ts';
import {
  deploymentIdSchema,
  divisionIdSchema,
  environmentIdSchema,
  nodeIdSchema,
  refSchema,
  tenantIdSchema,
} from './ids.ts';
import { tiers } from './plan.ts';

/** What main-api and a region's supervisor agree on about a deployment (interface, 2.5 and 4.4). */

export const protocols = ['broker_http', 'broker_tcp', 'broker_websocket', 'broker_udp'] as const;
export type Protocol = (typeof protocols)[number];

/** The name of a region, as the catalogue has it; also part of subjects. */
export const regionSchema = z.string().regex(/^[a-z0-9-]{1,63}$/);

/** The variants of a deployment: on the platform's infrastructure, or in an account of the customer. */
export const variants = ['managed', 'byoc'] as const;
export type Variant = (typeof variants)[number];

/** Options of a deployment that a region may be unable to provide. */
export const regionOptions = ['encrypted', 'private_address', 'multi_az', 'dedicated'] as const;
export type RegionOption = (typeof regionOptions)[number];

/** What a region provides for each variant. Names of a newer release are kept, and mean nothing to this one. */
export const providedOptionsSchema = z.partialRecord(z.enum(variants), z.array(z.string().max(40)).max(50));
export type ProvidedOptions = z.infer<typeof providedOptionsSchema>;

/** sizes, days and rates */
export const amount = z.int().min(0).max(1e12);

/**
 * What tells a deployment from every other, also from one that was given the same id after main-api's database was restored from
 * an older copy.
 */
export const deploymentIdentitySchema = z.object({ uid: z.uuid() });
export type DeploymentIdentity = z.infer<typeof deploymentIdentitySchema>;

export const storageSchema = z.object({
  type: z.enum(['local_ssd', 'network_balanced']),
  /** gigabytes; null where it can't be chosen */
  size: amount.nullable(),
});

/** prices are for a month of so many hours */
export const hoursPerMonth = 730;
/** US cents a month times seconds that are a US dollar */
export const centSecondsPerDollar = 100 * hoursPerMonth * 3600;
/** the most that a deployment may cost in a month of `hoursPerMonth`, US cents: ten million dollars */
export const mostMonthlyCents = 1e9;

/** The parts of a price (interface, 2.7), in the order in which they are shown. */
export const costParts = ['compute', 'storage', 'network', 'telemetry', 'data_retention'] as const;
export type CostPart = (typeof costParts)[number];

const cents = z.int().min(0).max(mostMonthlyCents);
/** What a deployment costs while it runs, in US cents for a month of 730 hours, by its parts. */
export const priceSchema = z.object({
  compute: cents,
  storage: cents,
  network: cents,
  telemetry: cents,
  data_retention: cents,
  /** the number of the price list that it is of; absent of a release without lists */
  list: z.int().positive().max(1e9).optional(),
});
export type Price = z.infer<typeof priceSchema>;
/** @returns US cents for a month of 730 hours */
export const monthlyCentsOf = (price: Price) => costParts.reduce((sum, part) => sum + price[part], 0);

/** price lists that can be announced for one tenant at a time, and such as it has had within the time for which regions remember usage */
export const mostPriceChanges = 100;
const priceChangeSchema = z.object({ from: z.iso.datetime(), price: priceSchema });
/** A price, and the second from which it is valid. */
export type PriceChange = z.infer<typeof priceChangeSchema>;

/** What a deployment's brokers may use, by its tier and its storage, and what that costs; absent where the catalogue no longer has the tier. */
export const brokerResourcesSchema = z.object({
  /** the most that each broker may store on its volume, and in memory, in bytes */
  broker_disk: z.int().positive().optional(),
  broker_memory: z.int().positive().optional(),
  /** clients that may be connected to each broker at the same time */
  broker_connections: z.int().min(1).max(1e9).optional(),
  /** bytes per second that may come in to the deployment, and as many that may go out; null: as many as there are */
  broker_rate: z.int().min(1).max(1e12).nullable().optional(),
  /** what the deployment costs while it runs, in US cents for a month of 730 hours: it goes by tier and storage as the rest does */
  monthly_cents: cents.optional(),
  /** the parts of `monthly_cents` */
  price: priceSchema.optional(),
  /** when it has another price: what is announced, and what regions may not have heard of; in the order of their times */
  price_changes: z.array(priceChangeSchema).max(mostPriceChanges).optional(),
});
export type BrokerResources = z.infer<typeof brokerResourcesSchema>;
/** The part of the limits of a deployment that a region changes by upgrades. */
export const resourcesOf = (limits: BrokerResources): BrokerResources => brokerResourcesSchema.parse(limits);

/** What a deployment costs at a time; undefined of a release that sends no parts of the price. */
export function priceAt({ price, price_changes = [] }: BrokerResources, time: Date): Price | undefined {
  return price && (price_changes.findLast(({ from }) => new Date(from) <= time)?.price ?? price);
}

/** What the plan of its tenant allows a deployment. */
const planLimitsSchema = z.object({
  access_rules: amount,
  /** named configurations */
  configs: amount,
  /** backups, 0 where the plan has none, and days that one is kept at most */
  backups: amount,
  backup_days: amount,
  /** whether its tenant's plan has private networking, and how many peerings, and endpoint services or attachments, it may have */
  private_networking: z.boolean(),
  private_connections: amount,
  private_endpoints: amount,
  /** diagnostic snapshots, and for how many days each is kept */
  snapshots: amount,
  snapshot_days: amount,
});
type PlanLimits = z.infer<typeof planLimitsSchema>;
/** The part of the limits of a deployment that main-api alone changes. */
export const planLimitsOf = (limits: PlanLimits): PlanLimits => planLimitsSchema.parse(limits);

/**
 * The fields of a deployment that a client chooses, and that main-api stores, sends and shows as they are: a new one stands here, in the
 * OpenAPI file and where it is used. Its default is what clients get that leave it out, and deployments that were made before.
 */
export const deploymentOptionsSchema = z.object({
  encrypted: z.boolean().default(false),
  target_network_tput: amount.nullable().default(null),
  availability_mode: z.enum(['single_az', 'multi_az']).default('single_az'),
  dedicated: z.boolean().default(false),
  public_ip_enabled: z.boolean().default(true),
  spend_limit: z.number().min(0).max(1e12).nullable().default(null),
});
export type DeploymentOptions = z.infer<typeof deploymentOptionsSchema>;
export const deploymentOptionNames = deploymentOptionsSchema.keyof().options;

/** The options that a request has, or a row; null means the default. */
export const deploymentOptionsOf = (given: {
  [Name in keyof DeploymentOptions]?: DeploymentOptions[Name] | null | undefined;
}): DeploymentOptions =>
  deploymentOptionsSchema.parse(
    Object.fromEntries(deploymentOptionNames.map((name) => [name, given[name] ?? undefined])),
  );

/** What main-api wants a deployment to be. Its region stores the document as it is sent, and reads fields where it uses them. */
export const deploymentSpecSchema = z.object({
  id: deploymentIdSchema,
  /** never changes, and no other deployment has it */
  uid: z.uuid(),
  name: z.string().max(100),
  code: z.string().max(40),
  tenant_id: tenantIdSchema,
  division: refSchema(divisionIdSchema),
  environment: refSchema(environmentIdSchema),
  cloud: cloudSchema,
  region: regionSchema,
  variant: z.enum(variants),
  /** of byoc only */
  cloud_access: cloudAccessSchema.optional(),
  tier: z.enum(tiers),
  cluster: z.enum(['standalone', 'cluster']),
  ...deploymentOptionsSchema.shape,
  storage: storageSchema,
  retention: z.object({ telemetry_days: amount }),
  subdomain_enabled: z.boolean(),
  nodes: z.array(refSchema(nodeIdSchema)).min(1).max(100),
  limits: brokerResourcesSchema.extend(planLimitsSchema.shape),
  /**
   * the upgrade that has not ended as far as main-api knows: a region that knows it as well keeps tier, storage and resources as it
   * has made them
   */
  upgrade_id: z.uuid().optional(),
  /** an operator has suspended its tenant: its brokers are stopped */
  suspended: z.boolean().default(false),
  created_at: z.iso.datetime(),
});
export type DeploymentSpec = z.infer<typeof deploymentSpecSchema>;

/** The options that a shape asks its region for. */
export function wantedOptions({
  encrypted,
  public_ip_enabled,
  availability_mode,
  dedicated,
}: Pick<
  DeploymentSpec,
  'encrypted' | 'public_ip_enabled' | 'availability_mode' | 'dedicated'
>): RegionOption[] {
  const wanted: Record<RegionOption, boolean> = {
    encrypted,
    private_address: !public_ip_enabled,
    multi_az: availability_mode === 'multi_az',
    dedicated,
  };
  return regionOptions.filter((option) => wanted[option]);
}
