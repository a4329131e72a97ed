import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { problem } from '@sluice/service';
import type { Answer } from './typed.ts';

export interface EtagFields {
  /** change without a meaning for clients, such as the time of a heartbeat: the ETag is weak */
  ignored: readonly string[];
  /** are no settings, such as what a budget has spent: they are in a part of the ETag that `If-Match` does not compare */
  unset: readonly string[];
}

/** The ETag of a representation (RFC 9110, 8.8.3). */
export function etagOf(body: unknown, { ignored, unset }: EtagFields = { ignored: [], unset: [] }): string {
  const whole = hashOf(body, ignored);
  const tag = unset.length === 0 ? `"${whole}"` : `"${hashOf(settingsOf(body, unset), ignored)}.${whole}"`;
  return ignored.length === 0 ? tag : `W/${tag}`;
}

const settingsOf = (body: unknown, unset: readonly string[]) =>
  Object.fromEntries(Object.entries(body as object).filter(([name]) => !unset.includes(name)));

function hashOf(body: unknown, without: readonly string[]): string {
  const text =
    without.length === 0
      ? JSON.stringify(body)
      : JSON.stringify(body, (name, value: unknown) => (without.includes(name) ? undefined : value));
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

const opaque = (tag: string) => tag.trim().replace(/^W\//, '');

/** Whether one of a header's tags is that of the representation, by weak comparison; `*` is any. */
export const matches = (header: string, etag: string): boolean =>
  header.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));

/** The answer with its ETag, or 304 to a client that has the representation already. */
export function conditional(request: Request, answer: Answer, fields: EtagFields): Answer {
  if (answer.status !== 200 || answer.raw || typeof answer.body !== 'object') return answer;
  const etag = etagOf(answer.body, fields);
  const headers = { ...answer.headers, etag };
  const known = request.get('if-none-match');
  if (known !== undefined && matches(known, etag)) return { status: 304, body: undefined, headers };
  return { ...answer, headers };
}

/** What a change asks of the resource (RFC 9110, 13.1); undefined where its header is missing. */
export interface Preconditions {
  ifMatch: string | undefined;
  ifNoneMatch: string | undefined;
}

/**
 * Compares the resource of a change with `If-Match` and `If-None-Match`, under its lock.
 * @param representation what a GET would answer, without the fields of `x-if-match-without`; null where there is nothing
 * @throws Problem `changed_meanwhile`
 */
export function requireMatch({ ifMatch, ifNoneMatch }: Preconditions, representation: () => unknown): void {
  if (ifMatch === undefined && ifNoneMatch === undefined) return;
  const body = representation();
  const etag = etagOf(body);
  // strong comparison
  const isNamed = (tag: string) => tag === '*' || tag.replace(/\.[^".]*"$/, '"') === etag;
  const names = (header: string) => body !== null && header.split(',').some((tag) => isNamed(tag.trim()));
  if (ifMatch !== undefined && !names(ifMatch)) throw problem('changed_meanwhile');
  if (ifNoneMatch !== undefined && names(ifNoneMatch)) throw problem('changed_meanwhile');
}
