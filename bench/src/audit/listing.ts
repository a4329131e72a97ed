import { idOf, type TenantId } from '@sluice/contracts';
import { aGrant, client, eventually, publishGrant } from '@sluice/testing';
import { largest } from './filling.ts';
import type { Installation } from './installation.ts';

const requests = 50;

export interface Latency {
  p50: number;
  p99: number;
}

export interface Lists {
  latencies: Map<string, Latency>;
  /** entries of the largest tenant that a second of verification covers */
  verified: number;
}

/** The token of a key of the largest tenant, once it is known there. */
export async function knownToken(on: Installation, url: string): Promise<string> {
  const token = await publishGrant(on, aGrant({ tenant_id: idOf<TenantId>(largest) }));
  await eventually(async () => {
    const { status } = await client(url, token).get('/audit/types');
    if (status !== 200) throw new Error('the key is not known');
  });
  return token;
}

/** How long the lists of the largest tenant take, each with its total, and the verification of its log, in milliseconds. */
export async function listing(on: Installation, url: string, middle: Date): Promise<Lists> {
  const api = client(url, await knownToken(on, url));
  const path = `/audit/tenants/${largest}`;
  const latencies = new Map<string, Latency>();
  for (const [name, query] of Object.entries(queries(middle.toISOString())))
    latencies.set(name, await latencyOf(() => api.get(path + query)));
  const begun = performance.now();
  const { status, body } = await api.get<{ intact: boolean; entries: number }>(`${path}/verify`);
  if (status !== 200 || !body.intact) throw new Error(`the log is not intact: ${status}`);
  return { latencies, verified: body.entries / ((performance.now() - begun) / 1_000) };
}

const queries = (middle: string) => ({
  'first page': '',
  'page 1,000': '?page=1000',
  author: '?author=7',
  user: '?user=1',
  division: '?division=3',
  environment: '?environment=3',
  deployment: '?deployment=3',
  types: '?types=division_updated,member_invited',
  'types, page 300': '?types=division_updated,member_invited&page=300',
  from: `?from=${middle}`,
  to: `?to=${middle}`,
  'author and type': '?author=7&types=division_updated',
});

async function latencyOf(request: () => Promise<{ status: number; body: unknown }>): Promise<Latency> {
  const times: number[] = [];
  while (times.length < requests) {
    const begun = performance.now();
    const { status, body } = await request();
    if (status !== 200) throw new Error(`a list was answered with ${status}: ${JSON.stringify(body)}`);
    times.push(performance.now() - begun);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(share * (requests - 1))] ?? NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
