import {
  pointer,
  type BrokerResources,
  type ConfigEntry,
  type ConfigSchema,
  type ConnectorInstanceId,
  type FieldIssue,
} from '@sluice/contracts';
import { brokerEntries, brokerSchema } from '@sluice/contracts/broker-schemas';
import { readConfigValues } from '@sluice/contracts/config-values';
import { allowance, withTierDefaults } from '../../compute/capacity.ts';
import type { Values } from './stored-values.ts';

/** What a kind of configuration is about, and what it may contain. */
export interface ConfigTarget {
  kind: string;
  /** the program that it is for, as heartbeats name it */
  runtime: 'broker' | 'connectors';
  /** the instance of a connector that it goes with */
  instanceId: ConnectorInstanceId | null;
  /** @param resources what the deployment's tier allows: the default of what the tier limits */
  schema(resources: BrokerResources): ConfigSchema;
  /** the field of the values in which `entries` are; null: the values themselves */
  block: string | null;
  /** those of the schema that can be secret */
  entries: readonly ConfigEntry[];
  /**
   * All that is wrong with values. Paths begin below them.
   * @param resources what the deployment's tier allows
   */
  check(values: Values, resources: BrokerResources): FieldIssue[];
}

/** The broker, by the schema of its product. */
export function brokerTarget(runtime: string): ConfigTarget {
  const schema = brokerSchema(runtime);
  const entries = brokerEntries(schema);
  return {
    ...{ kind: 'broker', runtime: 'broker', instanceId: null, block: null, entries },
    schema: (resources) => withTierDefaults(schema, resources),
    check(values, resources) {
      const { values: read, issues } = readConfigValues(entries, values);
      const found = issues.map(({ key, ...issue }) => ({ path: pointer(key), ...issue }));
      for (const { key, capacity } of entries) {
        const most = capacity ? allowance(resources, capacity) : undefined;
        if (most === undefined || values[key] === undefined || !(Number(read[key]) > most)) continue;
        const message = `has to be at most ${most}, which is what the tier allows`;
        found.push({ path: pointer(key), code: 'too_large', message });
      }
      return found;
    },
  };
}

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
