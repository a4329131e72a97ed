import type { ConfigEntry, ConfigKind, ConfigRule, ConfigValue } from '@sluice/contracts';
import { ConfigRefused, type PluginConfig } from './plugin.ts';

export interface FieldOptions {
  required?: true;
  default?: ConfigValue;
  /** of the number, the bytes, the milliseconds; for text its length, for a list the number of its items */
  min?: number;
  max?: number;
  /** a regular expression that the whole value has to match */
  pattern?: string;
  /** whether it decides where secrets are sent, and how two values are compared */
  destination?: ConfigEntry['destination'];
}

/** An entry of a plugin's schema. Text has at most 1,000 characters, a list 50 items, unless it says otherwise. */
export function field(
  key: string,
  kind: Exclude<ConfigKind, 'enum'>,
  name: string,
  description: string,
  options: FieldOptions = {},
): ConfigEntry {
  const { required, min, max = mostOf[kind], pattern, destination } = options;
  const rules: ConfigRule[] = [
    ...(required ? [{ rule: 'required' } as const] : []),
    ...(min === undefined ? [] : [{ rule: 'min', value: min } as const]),
    ...(max === undefined ? [] : [{ rule: 'max', value: max } as const]),
    ...(pattern === undefined ? [] : [{ rule: 'pattern', value: pattern } as const]),
  ];
  return {
    ...entry(key, kind, name, description, options.default, rules),
    ...(destination && { destination }),
  };
}

/** An entry whose value is one of `values`; the first holds without one. */
export function choice(
  key: string,
  name: string,
  description: string,
  values: readonly [string, ...string[]],
): ConfigEntry {
  return entry(key, 'enum', name, description, values[0], [{ rule: 'one_of', values }]);
}

const mostOf: Partial<Record<ConfigKind, number>> = { string: 1_000, secret: 10_000, list: 50 };

function entry(
  key: string,
  kind: ConfigKind,
  name: string,
  description: string,
  standard: ConfigValue | undefined,
  rules: ConfigRule[],
): ConfigEntry {
  return {
    ...{ key, name, description, kind, rules },
    default_value: standard ?? null,
    editable: true,
    secret: kind === 'secret',
    requirements: [],
  };
}

export const authorityField: ConfigEntry = field(
  'tls_ca',
  'string',
  'Authority',
  'certificates in PEM form to trust in place of the well-known ones',
  { max: 50_000, destination: 'value' },
);

export const tlsFields: readonly ConfigEntry[] = [
  {
    ...choice('tls', 'TLS', 'verify: encrypted, and servers have to show a certificate for their name', [
      'verify',
      'disable',
    ]),
    destination: 'value',
  },
  authorityField,
];

/** The address of a server: without a login, which would be no secret. */
export const urlPattern = 'https?://[^/?#@\\\\\\s]+(?:[/?#].*)?';

export function text(config: PluginConfig, key: string): string {
  const value = optionalText(config, key);
  if (value === null) throw new ConfigRefused(`${key} is missing`);
  return value;
}

/** The text under `key`; null for none, also for an empty one. */
export function optionalText(config: PluginConfig, key: string): string | null {
  const value = config[key] ?? '';
  return typeof value === 'string' && value !== '' ? value : null;
}

export function number(config: PluginConfig, key: string): number {
  const value = config[key];
  if (typeof value !== 'number') throw new ConfigRefused(`${key} is missing`);
  return value;
}

export function list(config: PluginConfig, key: string): readonly string[] {
  const value = config[key];
  return typeof value === 'object' && value !== null ? value : [];
}
