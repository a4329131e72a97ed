import type { BrokerEntry, BrokerSchema } from './broker-schema.ts';
import { natsSchema } from './nats/index.ts';

/** The schemas of broker products, by the name of their runtime. Loads nothing else, as the agent reads by it. */
export type { BrokerEntry, BrokerSchema, BrokerSection, TierCapacity } from './broker-schema.ts';
export { natsSchema } from './nats/index.ts';
export { natsAccount } from './nats/stream.ts';
export { endsTls, tlsChoices, type TlsChoices } from './tls.ts';

const schemas: ReadonlyMap<string, BrokerSchema> = new Map([['nats', natsSchema]]);

/** Empty for a runtime without settings. */
export const brokerSchema = (runtime: string): BrokerSchema => schemas.get(runtime) ?? {};

/** The runtimes whose brokers can encrypt what they store. */
export const encryptingRuntimes: readonly string[] = ['nats'];

/** All entries, in the order of the sections. */
export const brokerEntries = (schema: BrokerSchema): readonly BrokerEntry[] =>
  Object.values(schema).flatMap(({ schema: entries }) => entries);
