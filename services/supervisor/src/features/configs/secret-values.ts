import { secretMask } from '@sluice/contracts';
import { isObject, type ConfigTarget } from './config-targets.ts';
import type { Values } from './stored-values.ts';

/** Secrets of configurations, which are never shown (interface, 2.12). */

type Where = Pick<ConfigTarget, 'block' | 'entries'>;

/** Values with `***` in the place of secrets, and of what the schema of this release does not know. */
export const masked = (values: Values, where: Where): Values =>
  within(values, where, (block) => {
    const open = new Set(where.entries.filter(({ secret }) => !secret).map(({ key }) => key));
    return Object.fromEntries(
      Object.entries(block).map(([key, value]) => [key, open.has(key) ? value : secretMask]),
    );
  });

/** Without the fields that are null, which means that they are not given. */
export const given = (values: Values, where: Where): Values =>
  within(withoutNulls(values), where, withoutNulls);

const withoutNulls = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

function within(values: Values, { block }: Where, change: (values: Values) => Values): Values {
  if (block === null) return change(values);
  const inner = values[block];
  return isObject(inner) ? { ...values, [block]: change(inner) } : values;
}
