import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { problem } from '@sluice/service';
import type { Answer } from './typed.ts';

/**
 * The ETag of a representation (RFC 9110, 8.8.3). Weak where fields are left out that change without a meaning for clients, such as the
 * time of a heartbeat.
 */
export function etagOf(body: unknown, ignored: readonly string[] = []): string {
  const text =
    ignored.length === 0
      ? JSON.stringify(body)
      : JSON.stringify(body, (name, value: unknown) => (ignored.includes(name) ? undefined : value));
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return ignored.length === 0 ? tag : `W/${tag}`;
}

const opaque = (tag: string) => tag.trim().replace(/^W\//, '');

/** Whether one of a header's tags is that of the representation, by weak comparison; `*` is any. */
export const matches = (header: string, etag: string): boolean =>
  header.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));

/** The answer with its ETag, or 304 to a client that has the representation already. */
export function conditional(request: Request, answer: Answer, ignored: readonly string[]): Answer {
  if (answer.status !== 200 || answer.raw || typeof answer.body !== 'object') return answer;
  const etag = etagOf(answer.body, ignored);
  const headers = { ...answer.headers, etag };
  const known = request.get('if-none-match');
  if (known !== undefined && matches(known, etag)) return { status: 304, body: undefined, headers };
  return { ...answer, headers };
}

/** Compares what a change is of with `If-Match`, under its lock. @throws Problem `changed_meanwhile` */
export function requireMatch(header: string | undefined, representation: () => unknown): void {
  if (header === undefined || header.trim() === '*') return;
  // strong comparison
  const etag = etagOf(representation());
  if (!header.split(',').some((tag) => tag.trim() === etag)) throw problem('changed_meanwhile');
}
