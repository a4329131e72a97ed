import { parseArgs } from 'node:util';
import { z } from 'zod';
import { UsageError, usageOf } from './usage.ts';

const groups = {
  'dead-letters': ['list', 'show', 'redrive', 'drop'],
  consumers: ['put-aside'],
  outbox: ['list', 'show', 'redrive', 'drop'],
  restore: ['review', 'apply', 'reject', 'audit-log'],
  region: ['list', 'drain', 'undrain', 'remove'],
  maintenance: ['plan', 'list', 'show', 'end', 'cancel'],
  billing: ['prices', 'explain', 'reconcile', 'agreement', 'paid', 'suspend', 'resume'],
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
  /** what tenants read */
  reason: string | undefined;
  nodes: number[];
  at: Date | undefined;
  minutes: number;
  /** of price lists */
  file: string | undefined;
  list: number | 'general' | undefined;
  from: Date | undefined;
  tenant: number | undefined;
  /** its first moment (UTC) */
  month: Date | undefined;
  /** days from the issue of an invoice to its end */
  term: number | undefined;
  dryRun: boolean;
}

const number = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const consumerName = z.string().regex(/^[\w-]{1,120}$/);
/** how many are named in one call */
const mostNumbers = 100;

/** behind what an option can stand that not every action has */
const places: Readonly<Record<string, readonly string[]>> = {
  reason: ['region drain', 'maintenance plan', 'billing suspend'],
  term: ['billing agreement'],
  node: ['maintenance plan'],
  at: ['maintenance plan'],
  minutes: ['maintenance plan'],
  file: ['billing prices'],
  list: ['billing prices'],
  from: ['billing prices'],
  tenant: ['billing prices'],
  month: ['billing explain', 'billing reconcile'],
  'dry-run': ['billing prices', 'billing reconcile'],
};

function requirePlaces(place: string, values: Readonly<Record<string, unknown>>): void {
  for (const [option, known] of Object.entries(places)) {
    const value = values[option];
    const isGiven = Array.isArray(value) ? value.length > 0 : value !== undefined;
    if (isGiven && !known.includes(place))
      throw new UsageError(`--${option} belongs to '${known.join("', '")}'.`);
  }
}

/** The usage that `--help` asks for: of one group behind its name; undefined where it is not asked for. */
export function helpOf(args: readonly string[]): string | undefined {
  if (!args.some((argument) => argument === '--help' || argument === '-h')) return undefined;
  return usageOf(args.find((argument) => isGroup(argument)));
}

/** @throws UsageError which says what is wrong, and what is allowed */
export function readArguments(args: readonly string[]): Asked {
  const { values, positionals } = parse(args);
  const [group = '', action = '', ...names] = positionals;
  if (!isGroup(group))
    throw new UsageError(group === '' ? usageOf() : `There is no '${group}'.\n\n${usageOf()}`);
  const actions: readonly string[] = groups[group];
  if (!actions.includes(action))
    throw new UsageError(`'${group}' has ${actions.join(', ')}, and no '${action}'.`);
  if (values['dry-run'] && group !== 'billing') throw new UsageError(`--dry-run belongs to 'billing'.`);
  const lists = action === 'list' || action === 'review';
  requirePlaces(`${group} ${action}`, values);
  if (!lists && (values.after ?? values.limit ?? values.consumer) !== undefined)
    throw new UsageError(`--after, --limit and --consumer belong to 'list'.`);
  if (action === 'review' && values.consumer !== undefined)
    throw new UsageError(`--consumer belongs to 'dead-letters list'.`);
  if ((lists || action === 'audit-log') && names.length > 0)
    throw new UsageError(`'${action}' takes no '${names[0]}'.`);
  const decides = action === 'apply' || action === 'reject';
  if (values.all && (!decides || names.length > 0))
    throw new UsageError(`--all stands alone behind 'restore apply' or 'restore reject'.`);
  if (action === 'plan' && names.length > 0) throw new UsageError(`'plan' takes no '${names[0]}'.`);
  return {
    ...({ group, action } as Pick<Asked, 'group' | 'action'>),
    names,
    consumer: values.consumer === undefined ? undefined : consumerOf(values.consumer),
    service: values.service,
    after: values.after === undefined ? 0 : numberOf(values.after, '--after'),
    limit: limitOf(values.limit),
    json: values.json,
    all: values.all,
    reason: values.reason === undefined ? undefined : reasonOf(values.reason),
    nodes: values.node.map((node) => numberOf(node, '--node')),
    at: values.at === undefined ? undefined : timeOf(values.at),
    minutes: minutesOf(values.minutes),
    file: values.file,
    list: values.list === undefined || values.list === 'general' ? values.list : numberOf(values.list, '--list'),
    from: values.from === undefined ? undefined : instantOf(values.from),
    tenant: values.tenant === undefined ? undefined : numberOf(values.tenant, '--tenant'),
    month: values.month === undefined ? undefined : monthOf(values.month),
    dryRun: values['dry-run'] ?? false,
    term: values.term === undefined ? undefined : termOf(values.term),
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
        reason: { type: 'string' },
        node: { type: 'string', multiple: true, default: [] },
        at: { type: 'string' },
        minutes: { type: 'string' },
        file: { type: 'string' },
        list: { type: 'string' },
        from: { type: 'string' },
        tenant: { type: 'string' },
        month: { type: 'string' },
        'dry-run': { type: 'boolean' },
        term: { type: 'string' },
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

function monthOf(text: string): Date {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw new UsageError('--month is a month, such as 2026-11.');
  return new Date(`${text}-01T00:00:00Z`);
}

/** the longest term of an agreement */
const mostTermDays = 365;

function termOf(text: string): number {
  const days = numberOf(text, '--term');
  if (days > mostTermDays) throw new UsageError(`--term is a number of days, at most ${mostTermDays}.`);
  return days;
}

/** how long a maintenance can take: a week */
const mostMinutes = 10_080;

function minutesOf(text = '60'): number {
  const minutes = numberOf(text, '--minutes');
  if (minutes < 1 || minutes > mostMinutes)
    throw new UsageError(`--minutes is a number from 1 to ${mostMinutes}.`);
  return minutes;
}

/** a year, in milliseconds: later than that is a slip of the keyboard */
const mostAhead = 366 * 86_400_000;
const time = z.iso.datetime({ offset: true });

/** `now`, or a time with its offset that is to come. */
function instantOf(text: string): Date {
  const { data } = time.safeParse(text);
  if (data === undefined) throw new UsageError(`--from is a time, as 2027-01-01T00:00:00Z, and not '${text}'.`);
  return new Date(data);
}

function timeOf(text: string): Date {
  const now = Date.now();
  const { data } = time.safeParse(text);
  const at = text === 'now' ? new Date(now) : new Date(data ?? Number.NaN);
  if (!(at.getTime() >= now && at.getTime() <= now + mostAhead))
    throw new UsageError(`--at is a time to come, as 2026-12-01T02:00:00Z, or now, and not '${text}'.`);
  return at;
}

/** what people read of it is one line */
const mostOfReason = 200;

function reasonOf(text: string): string {
  const reason = text.trim();
  if (reason === '' || reason.length > mostOfReason || /\p{Cc}/u.test(reason))
    throw new UsageError(`--reason is one line of at most ${mostOfReason} characters.`);
  return reason;
}

/** `cloud_a/us-east-1`. */
export function regionOf(names: readonly string[]): { cloud: string; region: string } {
  const [, cloud, region] = /^([a-z]\w{0,60})\/([a-z][\w-]{0,100})$/.exec(names[0] ?? '') ?? [];
  if (cloud === undefined || region === undefined || names.length !== 1)
    throw new UsageError('Say which: one region, as cloud_a/us-east-1.');
  return { cloud, region };
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
