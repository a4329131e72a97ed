import { isDeepStrictEqual } from 'node:util';
import { SluiceError, type SluiceClient } from '@sluice/client';
import type { Existing, Fields, Ids, Wanted } from '../entries.ts';

/** What steps are carried out with. */
export interface Run {
  client: SluiceClient;
  signal: AbortSignal;
  ids: Ids;
  /** the name of the set, which marks what is made */
  set: string | undefined;
  /** what an id stands for, by `kind id` */
  placeOf: Map<string, string>;
  /** how long something is waited for, in milliseconds */
  timeoutMs: number;
  /** Takes one of the places for deployments that are created at a time. @returns what gives it back, once the server counts it */
  slot(): Promise<() => void>;
  /** Resolves when clients could connect to a deployment, or it is stopped. */
  ready(place: string): Promise<void>;
  /** Deletes what may be protected, with the code that that needs. */
  withCode<T>(existing: Existing, destroy: (code?: string) => Promise<T>): Promise<T>;
}

/** A request that changes something that there is. */
export interface Update {
  /** which of the changed fields it is about */
  fields: readonly string[];
  /** the operation of the API */
  operation: string;
  /** what it does to clients, a sentence */
  interrupts?: string | undefined;
  /** why it is impossible, a sentence */
  blocked?: string | undefined;
  send: (run: Run) => Promise<unknown>;
}

/** A kind of thing that documents have. */
export interface Kind {
  /** what cannot be changed in place */
  fixed?: readonly string[];
  /** what a new one needs; of an inner list one of them */
  required?: readonly (string | readonly string[])[];
  /** how a field is compared; without it by its value */
  same?: Readonly<Record<string, (wanted: unknown, existing: unknown, options: Comparing) => boolean>>;
  /** keys of what has to be there before */
  needs?(wanted: Wanted): string[];
  create: { operation: (wanted: Wanted) => string; send(wanted: Wanted, run: Run): Promise<unknown> };
  updates(wanted: Wanted, existing: Existing, changed: ReadonlySet<string>): Update[];
  remove?: {
    operation: (existing: Existing) => string;
    interrupts?: string;
    send(existing: Existing, run: Run): Promise<unknown>;
  };
  /** Reads it again. Undefined when it is gone. */
  reread(existing: Existing, run: Run): Promise<Pick<Existing, 'fields' | 'etag'> | undefined>;
}

export interface Comparing {
  /** whether a secret, which servers do not show, counts as different */
  resendsSecrets: boolean;
}

const isMasked = (existing: unknown): boolean =>
  typeof existing === 'string' && (existing === '***' || existing.endsWith('/***'));

/** Whether two values are the same, as far as secrets can be compared. */
export function same(wanted: unknown, existing: unknown, options: Comparing): boolean {
  if (typeof wanted === 'string' && isMasked(existing)) return !options.resendsSecrets;
  if (!isObject(wanted) || !isObject(existing)) return isDeepStrictEqual(wanted, existing);
  const keys = Object.keys(wanted);
  return (
    keys.length === Object.keys(existing).length &&
    keys.every((key) => key in existing && same(wanted[key], existing[key], options))
  );
}

/** The same for what has defaults: what is not wanted stays. */
export function covers(wanted: unknown, existing: unknown, options: Comparing): boolean {
  if (!isObject(wanted) || !isObject(existing)) return same(wanted, existing, options);
  return Object.keys(wanted).every((key) => covers(wanted[key], existing[key], options));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The wanted fields of an update. */
export const picked = (wanted: Wanted, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    fields.filter((field) => field in wanted.fields).map((field) => [field, wanted.fields[field]]),
  );

/** Those fields of a list that have changed. */
export const changedOf = (changed: ReadonlySet<string>, fields: readonly string[]): string[] =>
  fields.filter((field) => changed.has(field));

const changedMeanwhile = ({ kind, place }: Existing): SluiceError =>
  new SluiceError({
    code: 'changed_meanwhile',
    status: 412,
    detail: `The ${kind} ${place} has changed since it was read for the plan.`,
  });

/**
 * Sends a change with the ETag that the plan was made with. A server also gives another ETag when what no document has was changed, such as
 * a status: then it is sent with that.
 * @throws SluiceError `changed_meanwhile`
 */
export async function matching<T>(
  kind: Pick<Kind, 'reread'>,
  existing: Existing,
  run: Run,
  send: (headers: { 'If-Match'?: string }) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    if (existing.etag === undefined) await requireUnchanged(kind, existing, run);
    try {
      return await send(existing.etag === undefined ? {} : { 'If-Match': existing.etag });
    } catch (error) {
      const isLate = error instanceof SluiceError && error.code === 'changed_meanwhile';
      if (!isLate || attempt === 5) throw error;
    } finally {
      // the next change of it has to be of what this one makes of it
      existing.etag = undefined;
    }
  }
}

/** Where a change cannot carry an ETag: looks right before it. @throws SluiceError `changed_meanwhile` */
export async function requireUnchanged(
  kind: Pick<Kind, 'reread'>,
  existing: Existing,
  run: Run,
): Promise<void> {
  const now = await kind.reread(existing, run);
  if (!now || !isDeepStrictEqual(now.fields, existing.fields)) throw changedMeanwhile(existing);
  existing.etag = now.etag;
}

/** After a change of one's own: the next one compares with what it has made. */
export async function adopt(kind: Pick<Kind, 'reread'>, existing: Existing, run: Run): Promise<void> {
  const now = await kind.reread(existing, run);
  if (now) Object.assign(existing, { fields: now.fields, etag: now.etag });
}

export type { Existing, Fields, Wanted };
