import type { BrokerCapacity, BrokerResources, ConfigSchema } from '@sluice/contracts';
import {
  brokerEntries,
  brokerSchema,
  type BrokerEntry,
  type BrokerSchema,
  type TierCapacity,
} from '@sluice/contracts/broker-schemas';
import { configText, readConfigValue } from '@sluice/contracts/config-values';

/** What one node's broker may use, of what its deployment may: clients choose any node, and each has its own volume. */
export function ofOneNode(resources: BrokerResources, nodes: number): BrokerResources {
  const { broker_rate } = resources;
  if (typeof broker_rate !== 'number') return resources;
  return { ...resources, broker_rate: Math.max(1, Math.floor(broker_rate / nodes)) };
}

const resourceOf = {
  connections: 'broker_connections',
  memory_store: 'broker_memory',
  file_store: 'broker_disk',
} as const satisfies Record<TierCapacity, keyof BrokerResources>;

/** How much of it a tier allows; undefined where it says nothing. */
export const allowance = (resources: BrokerResources, capacity: TierCapacity): number | undefined =>
  resources[resourceOf[capacity]];

/** Values of a stored configuration, by BROKER_* key, as JSON has them. */
type Configured = Readonly<Record<string, unknown>>;

/** What a configuration leaves of resources: it can take less, and never more. */
export function lowered(
  resources: BrokerResources,
  configured: Configured,
  runtime: string,
): BrokerResources {
  const limited = brokerEntries(brokerSchema(runtime)).flatMap((entry) => {
    const { capacity } = entry;
    const amount = capacity && amountOf(entry, configured, resources);
    return capacity && typeof amount === 'number' ? [[resourceOf[capacity], amount] as const] : [];
  });
  return { ...resources, ...Object.fromEntries(limited) };
}

/** The settings (BROKER_*) of a broker that may use so much and is configured like this. */
export function brokerValues(
  resources: BrokerResources,
  configured: Configured,
  runtime: string,
): Record<string, string> {
  const values = brokerEntries(brokerSchema(runtime)).flatMap((entry) => {
    const value = amountOf(entry, configured, resources);
    return value === null ? [] : [[entry.key, configText(entry, value)] as const];
  });
  return Object.fromEntries(values);
}

/** The value that holds: the lesser one of what is configured and what the tier allows. */
function amountOf(entry: BrokerEntry, configured: Configured, resources: BrokerResources) {
  const given = configured[entry.key];
  // what was valid for a former release, and is not any more, is left to the broker
  const read = entry.editable && given !== undefined ? readConfigValue(entry, given) : undefined;
  const value = read && 'value' in read ? read.value : null;
  const most = entry.capacity ? allowance(resources, entry.capacity) : undefined;
  if (most === undefined) return value;
  return value === null ? most : Math.min(Number(value), most);
}

/** A broker's schema for a tier: without a value, what the tier limits is as the tier has it. */
export function withTierDefaults(schema: BrokerSchema, resources: BrokerResources): ConfigSchema {
  const ofTier = (entry: BrokerEntry) => {
    const value = amountOf(entry, {}, resources);
    return value === null ? entry : { ...entry, default_value: value };
  };
  return Object.fromEntries(
    Object.entries(schema).map(([key, section]) => [key, { ...section, schema: section.schema.map(ofTier) }]),
  );
}

/** Whether a broker may use exactly so much; what is not set can be anything. */
export function isOf(capacity: BrokerCapacity, resources: BrokerResources): boolean {
  const { broker_connections, broker_disk, broker_memory, broker_rate } = resources;
  const pairs = [
    [broker_connections, capacity.connections],
    [broker_disk, capacity.file_store],
    [broker_memory, capacity.memory_store],
    [broker_rate, capacity.rate_limit],
  ];
  return pairs.every(([wanted, is]) => wanted === undefined || wanted === is);
}
