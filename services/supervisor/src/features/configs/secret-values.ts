import type { FieldIssue } from '@sluice/contracts';
import { isObject, pointer, type ConfigTarget } from './config-targets.ts';
import type { Values } from './stored-values.ts';

/** Secrets of configurations, which nobody is shown (interface, 2.12). */

const mask = '***';

type Where = Pick<ConfigTarget, 'block' | 'entries'>;

/** Values with `***` in the place of secrets, and of what the schema of this release does not know. */
export function masked(values: Values, where: Where): Values {
  return within(values, where, (block) => {
    const open = new Set(where.entries.filter(({ secret }) => !secret).map(({ key }) => key));
    return Object.fromEntries(
      Object.entries(block).map(([key, value]) => [key, open.has(key) ? value : mask]),
    );
  });
}

/** Values with what `stored` has in the place of `***`, and what is wrong with those that it has nothing for. */
export function unmasked(
  values: Values,
  stored: Values | undefined,
  where: Where,
): { values: Values; issues: FieldIssue[] } {
  const secrets = new Set(where.entries.filter(({ secret }) => secret).map(({ key }) => key));
  const former = stored ? blockOf(stored, where) : {};
  const issues: FieldIssue[] = [];
  const kept = within(values, where, (block) =>
    Object.fromEntries(
      Object.entries(block).map(([key, value]) => {
        if (value !== mask || !secrets.has(key)) return [key, value];
        if (Object.hasOwn(former, key)) return [key, former[key]];
        const path = pointer(...(where.block === null ? [] : [where.block]), key);
        issues.push({ path, code: 'nothing_stored', message: 'has nothing stored that *** could keep' });
        return [key, value];
      }),
    ),
  );
  return { values: kept, issues };
}

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

function blockOf(values: Values, { block }: Where): Values {
  const inner = block === null ? values : values[block];
  return isObject(inner) ? inner : {};
}
