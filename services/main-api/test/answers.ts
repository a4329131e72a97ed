import { randomUUID } from 'node:crypto';
import type { Answer, Client } from '@sluice/testing';

/** The status and the code of a refusal, as `403 forbidden`; of a success the status alone. */
export const refusal = ({ status, body }: Answer) =>
  status < 400 ? String(status) : `${status} ${String(body['code'])}`;

/** The body of a refusal by a limit. */
export const limitReached = (name: string, value: number) => ({
  code: 'limit_reached',
  limit: { name, value },
});

/** Sends one request twice with one idempotency key. @returns both answers, of which the second is a replay */
export async function sendTwice(
  sender: Pick<Client, 'request'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<[first: Answer, again: Answer]> {
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => sender.request(method, path, body, headers);
  const [first, again] = [await send(), await send()];
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect([again.status, again.body]).toEqual([first.status, first.body]);
  return [first, again];
}

/** What was wrong with a request that is refused with 400, as `/body/name too_short`. */
export function fieldIssues({ status, body }: Answer): string[] {
  expect(status).toBe(400);
  const issues = (body['field_issues'] ?? []) as { path: string; code: string }[];
  return issues.map(({ path, code }) => `${path} ${code}`);
}

/** The items of a paginated list. */
export const itemsOf = ({ body }: Answer) => body['items'] as Record<string, unknown>[];

/** The items of a list without pages. */
export const listOf = <Item = Record<string, unknown>>({ body }: Answer) => body as unknown as Item[];
