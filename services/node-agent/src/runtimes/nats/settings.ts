import { brokerEntries, natsSchema, type BrokerEntry } from '@sluice/contracts/broker-schemas';
import {
  configText,
  configValueOf,
  readConfigValues,
  type ReadValues,
} from '@sluice/contracts/config-values';
import { ConfigurationRefused, type DesiredBroker } from '../runtime.ts';

export interface NatsSetting extends BrokerEntry {
  path: readonly string[];
}

export const natsSettings: readonly NatsSetting[] = brokerEntries(natsSchema).flatMap(({ path, ...entry }) =>
  path === null ? [] : [{ ...entry, path }],
);

const defaults = readConfigValues(natsSettings, {}).values;

export const defaultOf = ({ key }: NatsSetting) => defaults[key] ?? null;

export function readSettings({ values: texts, rate_limit }: DesiredBroker): ReadValues {
  const given = natsSettings.flatMap((setting) => {
    const text = texts[setting.key];
    return text === undefined ? [] : [[setting.key, configValueOf(setting, text)] as const];
  });
  const { values, issues } = readConfigValues(natsSettings, Object.fromEntries(given));
  if (issues.length > 0)
    throw new ConfigurationRefused(issues.map(({ key, message }) => `${key} ${message}`).join(', '));
  if (!rate_limit || texts[deadline] !== undefined) return values;
  return { ...values, [deadline]: slowestDelivery(Number(values[pending]), rate_limit) };
}

const deadline = 'BROKER_TCP_WRITE_DEADLINE';
const pending = 'BROKER_TCP_MAX_PENDING';
const leastDeadlineSeconds = 10;

/**
 * The write deadline where the gateway paces what goes out, in milliseconds: a client that is slow by that is not cut for it. The
 * server holds back up to `bytes` for each, which have to have passed by then.
 */
function slowestDelivery(bytes: number, rate: number): number {
  return (leastDeadlineSeconds + Math.ceil(bytes / rate)) * 1_000;
}

/** A value in the notation of the server's configuration; undefined for none. */
export function writtenValue(
  setting: NatsSetting,
  value: ReadValues[string],
): string | number | boolean | string[] | undefined {
  if (value === null || value === undefined) return undefined;
  if (setting.word !== undefined) return value === true ? setting.word : undefined;
  if (setting.kind === 'duration') return configText(setting, value);
  return typeof value === 'object' ? [...value] : value;
}
