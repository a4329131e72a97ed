import type { ConfigEntry, ConfigKind, ConfigRule, ConfigSection, ConfigValue } from '../config-schema.ts';

/** What a tier decides of a broker, and a configuration can only lower. */
export type TierCapacity = 'connections' | 'memory_store' | 'file_store';

/** An entry of a broker's schema, and what becomes of it in the product's own configuration. */
export interface BrokerEntry extends ConfigEntry {
  /**
   * Where it stands there, from the outermost block to its name; empty where it stands in several places; null where the product cannot do
   * it.
   */
  path: readonly string[] | null;
  /** what the product writes for true, where that is another word; false is then left out */
  word?: string;
  /** whether the product takes a change only at its start */
  restart: boolean;
  /** what of the tier it can lower; null for all others */
  capacity: TierCapacity | null;
}

export interface BrokerSection extends ConfigSection {
  schema: readonly BrokerEntry[];
}

/** The settings of a broker product, by section (interface, 2.12). */
export type BrokerSchema = Readonly<Record<string, BrokerSection>>;

interface Described {
  key: string;
  name: string;
  description: string;
  kind: ConfigKind;
}

interface Honoured extends Described {
  path: readonly string[];
  default_value?: ConfigValue;
  min?: number;
  max?: number;
  pattern?: string;
  one_of?: readonly string[];
  /** at most what this other key has */
  at_most?: string;
  word?: string;
  restart?: true;
  capacity?: TierCapacity;
}

/** A key that the product honours. Without a default the product chooses. */
export function setting({ restart, capacity, word, ...entry }: Honoured): BrokerEntry {
  const { key, name, description, kind, path, default_value = null } = entry;
  const requirements = [
    ...(restart ? ['a restart of the broker, which a reconfiguration brings about'] : []),
    ...(capacity ? ['a tier that allows as much'] : []),
  ];
  return {
    ...{ key, name, description, kind, default_value, path, requirements },
    ...{ editable: true, secret: false, rules: rulesOf(entry), restart: restart === true },
    capacity: capacity ?? null,
    ...(word !== undefined && { word }),
  };
}

function rulesOf({ min, max, pattern, one_of, at_most }: Honoured): ConfigRule[] {
  return [
    ...(min === undefined ? [] : [{ rule: 'min' as const, value: min }]),
    ...(max === undefined ? [] : [{ rule: 'max' as const, value: max }]),
    ...(pattern === undefined ? [] : [{ rule: 'pattern' as const, value: pattern }]),
    ...(one_of === undefined ? [] : [{ rule: 'one_of' as const, values: one_of }]),
    ...(at_most === undefined ? [] : [{ rule: 'at_most' as const, key: at_most }]),
  ];
}

/** A key that the product cannot honour, and what it would take. */
export function unavailable(entry: Described, requirement: string): BrokerEntry {
  return {
    ...entry,
    ...{ default_value: null, editable: false, secret: false, rules: [], requirements: [requirement] },
    ...{ path: null, restart: false, capacity: null },
  };
}
