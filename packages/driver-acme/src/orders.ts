import { createHash } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { z } from 'zod';
import type { Account } from './account.ts';
import type { ChallengeRecord } from './dns-provider.ts';
import { describeProblem } from './problem.ts';
import { linkSchema, parsed, publicPart, type AcmeAnswer } from './protocol.ts';

/** What authorities say of orders and of whose a name is (RFC 8555, 7.1.3 and 7.1.4). */

const name = z.string().max(260);
const identifier = z.object({ type: z.string().max(20), value: name });

const orderSchema = z.object({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  identifiers: z.array(identifier).max(200),
  authorizations: z.array(linkSchema).max(200),
  finalize: linkSchema,
  certificate: linkSchema.optional(),
  error: z.unknown().optional(),
});

const challengeSchema = z.object({
  type: z.string().max(50),
  status: z.string().max(20),
  url: linkSchema,
  token: z.string().max(500).optional(),
  error: z.unknown().optional(),
});

const authorizationSchema = z.object({
  status: z.string().max(20),
  identifier,
  challenges: z.array(challengeSchema).max(20),
});

export interface Order extends z.infer<typeof orderSchema> {
  url: string;
  retryAfterSeconds: number | undefined;
}

export interface Authorization extends z.infer<typeof authorizationSchema> {
  retryAfterSeconds: number | undefined;
}

export interface OpenChallenge {
  url: string;
  record: ChallengeRecord;
}

export function readOrder(url: string, { json, retryAfterSeconds }: AcmeAnswer): Order {
  return { ...parsed(orderSchema, json), url, retryAfterSeconds };
}

export async function readAuthorizations(
  account: Account,
  { authorizations }: Order,
  signal: AbortSignal,
): Promise<Authorization[]> {
  const found: Authorization[] = [];
  for (const url of authorizations) {
    const { json, retryAfterSeconds } = await account.post(url, null, { signal });
    found.push({ ...parsed(authorizationSchema, json), retryAfterSeconds });
  }
  return found;
}

/**
 * The open challenges of these names.
 * @throws Error where the authority wants a proof of another kind, or of a name that was not asked for
 */
export async function openChallenges(
  account: Account,
  authorizations: readonly Authorization[],
  names: readonly string[],
): Promise<OpenChallenge[]> {
  const thumbprint = await calculateJwkThumbprint(publicPart(account.signer.key));
  const open: OpenChallenge[] = [];
  for (const { status, identifier, challenges } of authorizations) {
    if (status !== 'pending') continue;
    // a record is set in a zone of ours: only for the names of the order
    if (!names.includes(identifier.value.toLowerCase()))
      throw new Error(`the authority asks for a proof of ${identifier.value}, which was not ordered`);
    const challenge = challenges.find(({ type }) => type === 'dns-01');
    if (challenge?.token === undefined)
      throw new Error(`the authority takes no DNS record as a proof of ${identifier.value}`);
    if (challenge.status !== 'pending') continue;
    const value = createHash('sha256').update(`${challenge.token}.${thumbprint}`).digest('base64url');
    open.push({
      url: challenge.url,
      record: { fqdn: `_acme-challenge.${identifier.value.toLowerCase()}.`, value },
    });
  }
  return open;
}

export function whyInvalid(order: Order, authorizations: readonly Authorization[]): string {
  const reasons = authorizations.flatMap(({ identifier, challenges }) =>
    challenges.flatMap(({ error }) => {
      const said = describeProblem(error);
      return said === undefined ? [] : [`${identifier.value}: ${said}`];
    }),
  );
  const own = describeProblem(order.error);
  const said = reasons.length > 0 ? reasons.slice(0, 3) : [own ?? 'without a reason'];
  return `the authority refuses: ${said.join('; ')}`;
}

/**
 * Looks for an order of these names that has not ended, where the authority lists orders: one whose answer never came.
 * @returns its address
 */
export async function findOrderOf(
  account: Account,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const { json: own } = await account.post(account.signer.url, null, { signal });
  const { data } = z.object({ orders: linkSchema }).safeParse(own);
  if (!data) return undefined;
  const { json } = await account.post(data.orders, null, { signal });
  const { orders } = parsed(z.object({ orders: z.array(linkSchema).max(1_000) }), json);
  for (const url of orders.slice(-mostListed).reverse()) {
    const order = readOrder(url, await account.post(url, null, { signal }));
    const found = order.identifiers.map(({ value }) => value.toLowerCase());
    const isOpen = order.status === 'pending' || order.status === 'ready';
    if (isOpen && found.length === names.length && names.every((one) => found.includes(one))) return url;
  }
  return undefined;
}

/** orders of an account that are looked at, the last ones of the first page that it lists */
const mostListed = 20;
