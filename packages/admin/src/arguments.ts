import { parseArgs } from 'node:util';
import { z } from 'zod';
import { usage, UsageError } from './usage.ts';

const groups = {
  'dead-letters': ['list', 'show', 'redrive', 'drop'],
  consumers: ['put-aside'],
  outbox: ['list', 'show', 'redrive', 'drop'],
  restore: ['review', 'apply', 'reject', 'audit-log'],
} as const;

type Group = keyof typeof groups;

/** What is asked for, each part of it checked. */
export type Asked = { [Name in Group]: AskedOf<Name> }[Group];

/** The same of one group. */
export interface AskedOf<Name extends Group> {
  group: Name;
  action: (typeof groups)[Name][number];
  /** what stands behind the action */
  names: string[];
  consumer: string | undefined;
  /** whose database is meant */
  service: string | undefined;
  after: number;
  limit: number;
  json: boolean;
  /** instead of names */
  all: boolean;
}

const number = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const consumerName = z.string().regex(/^[\w-]{1,120}$/);
/** how many are named in one call */
const mostNumbers = 100;

/** @throws UsageError which says what is wrong, and what is allowed */
export function readArguments(args: readonly string[]): Asked {
  const { values, positionals } = parse(args);
  const [group = '', action = '', ...names] = positionals;
  if (!isGroup(group)) throw new UsageError(group === '' ? usage : `There is no '${group}'.\n\n${usage}`);
  const actions: readonly string[] = groups[group];
  if (!actions.includes(action))
    throw new UsageError(`'${group}' has ${actions.join(', ')}, and no '${action}'.`);
  const lists = action === 'list' || action === 'review';
  if (!lists && (values.after ?? values.limit ?? values.consumer) !== undefined)
    throw new UsageError(`--after, --limit and --consumer belong to 'list'.`);
  if (action === 'review' && values.consumer !== undefined)
    throw new UsageError(`--consumer belongs to 'dead-letters list'.`);
  if ((lists || action === 'audit-log') && names.length > 0)
    throw new UsageError(`'${action}' takes no '${names[0]}'.`);
  const decides = action === 'apply' || action === 'reject';
  if (values.all && (!decides || names.length > 0))
    throw new UsageError(`--all stands alone behind 'restore apply' or 'restore reject'.`);
  return {
    ...({ group, action } as Pick<Asked, 'group' | 'action'>),
    names,
    consumer: values.consumer === undefined ? undefined : consumerOf(values.consumer),
    service: values.service,
    after: values.after === undefined ? 0 : numberOf(values.after, '--after'),
    limit: limitOf(values.limit),
    json: values.json,
    all: values.all,
  } as Asked;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        consumer: { type: 'string' },
        service: { type: 'string' },
        after: { type: 'string' },
        limit: { type: 'string' },
        json: { type: 'boolean', default: false },
        all: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const isGroup = (name: string): name is Group => Object.hasOwn(groups, name);

function limitOf(text = '50'): number {
  const limit = numberOf(text, '--limit');
  if (limit < 1 || limit > 500) throw new UsageError('--limit is a number from 1 to 500.');
  return limit;
}

function numberOf(text: string, what: string): number {
  const { data } = number.safeParse(text);
  if (data === undefined) throw new UsageError(`${what} is a whole number, and not '${text}'.`);
  return data;
}

/** The numbers of messages, at least one and at most a hundred. */
export function numbersOf(names: readonly string[], most = mostNumbers): number[] {
  if (names.length < 1 || names.length > most)
    throw new UsageError(most === 1 ? 'Say which: one number.' : `Say which: 1 to ${most} numbers.`);
  return names.map((name) => numberOf(name, 'What is named'));
}

export function consumerOf(text: string): string {
  const { data } = consumerName.safeParse(text);
  if (data === undefined)
    throw new UsageError(`A consumer's name has letters, digits, - and _, and '${text}' is none.`);
  return data;
}
