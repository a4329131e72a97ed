import { createPrivateKey, sign, type JsonWebKey } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentKeyOf, client, isStackGiven, metricsOf, type Answer, type Stack } from '@sluice/testing';
import {
  faultsOf,
  fuzzedOperations,
  fuzzRuns,
  fuzzSeed,
  type Existing,
  type FuzzedDocument,
  type FuzzedOperation,
  type FuzzedRequest,
} from '@sluice/testing/fuzz';
import fc from 'fast-check';
import { sixAtOnce, walkedStack } from './walked-stack.ts';

/**
 * Every operation of every document, asked with what its schemas allow and with what they do not: no answer is a failure, each is
 * one that the document names (the services check their own answers here), and no process ends.
 * `FUZZ_RUNS` requests for each operation; `FUZZ_SEED` repeats a run.
 */
const runs = fuzzRuns(12);
const seed = fuzzSeed();

let stack: Stack;
let existing: Existing;
let signAgentToken: () => string;
let startTimes: string[];

beforeAll(async () => {
  const walked = await walkedStack();
  ({ stack } = walked);
  const role = await stack.main.post(`/tenants/${stack.tenant_id}/roles`, {
    name: 'fuzzed',
    permissions: {},
  });
  const key = await stack.main.post(`/tenants/${stack.tenant_id}/api_keys`, {
    name: 'fuzzed',
    role_id: role.body['id'],
    expiry_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  existing = {
    ...walked.existing,
    role_id: String(role.body['id']),
    api_key_id: String(key.body['id']),
  };
  if (!isStackGiven) signAgentToken = await agentOf(walked.nodeId);
  startTimes = (await Promise.all(services().map(startTimesOf))).flat();
}, 300_000);
afterAll(() => stack.remove());

const services = () => [stack.base_url, stack.audit_url, ...stack.supervisors.map(({ url }) => url)];
const regionUrl = () => stack.supervisors.find(({ cloud }) => cloud === 'cloud_a')?.url ?? '';

/** Of whichever replicas answer there. */
async function startTimesOf(url: string): Promise<string[]> {
  const startTime = async () => /^process_start_time_seconds (\S+)$/m.exec(await metricsOf(url))?.[1] ?? '';
  return [...new Set(await Promise.all(Array.from({ length: isStackGiven ? 50 : 1 }, startTime)))];
}

/** Signs tokens as the agent of a node of this machine does. */
async function agentOf(nodeId: number): Promise<() => string> {
  const [nodes, keys] = [join(stack.home, 'nodes/cloud_a'), join(stack.home, 'node-keys/cloud_a')];
  const jwk = JSON.parse(await agentKeyOf(nodes, keys, nodeId)) as JsonWebKey;
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return () => {
    const claims = { sub: String(nodeId), aud: 'sluice-supervisor', exp: Math.floor(Date.now() / 1000) + 60 };
    const signed = `${encoded({ alg: 'EdDSA' })}.${encoded(claims)}`;
    return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
  };
}

interface Layer {
  url: () => string;
  document: string;
  credentials: () => Record<string, string>;
  /** statuses that show how far requests come */
  reached: number[];
}

const layers: [string, Layer][] = [
  [
    'Main API',
    {
      url: () => stack.base_url,
      document: '/openapi.json',
      credentials: keyOfAdmin,
      reached: [200, 201, 204, 404],
    },
  ],
  [
    'Supervisor API',
    { url: regionUrl, document: '/openapi.json', credentials: keyOfAdmin, reached: [200, 404] },
  ],
  [
    'Audit API',
    { url: () => stack.audit_url, document: '/openapi.json', credentials: keyOfAdmin, reached: [200] },
  ],
  // as an agent, whose key is in its folder
  [
    "agents' API",
    {
      url: regionUrl,
      document: '/agent/v1/openapi.json',
      credentials: () => ({ authorization: `Bearer ${signAgentToken()}` }),
      reached: [204],
    },
  ],
];
function keyOfAdmin() {
  return { 'svc-api-key': stack.api_key };
}

describe(`with seed ${seed}`, () => {
  test.each(isStackGiven ? layers.slice(0, 3) : layers)(
    'the %s has an answer of its document for everything',
    async (_name, { url, document, credentials, reached }) => {
      const served = (await client(url()).get(document)).body as unknown as FuzzedDocument;
      const operations = fuzzedOperations(served, existing);
      expect(operations.length).toBeGreaterThan(1);
      const statuses = new Set<number>();
      await sixAtOnce(operations, (operation) => fuzz(operation, url(), credentials, statuses));
      // it did not stop at the door
      expect([...statuses]).toContain(400);
      expect([...statuses]).toEqual(expect.arrayContaining(reached));
    },
    120_000 + runs * 10_000,
  );

  test('afterwards everything is as alive as before', async () => {
    for (const url of services()) expect(startTimes).toEqual(expect.arrayContaining(await startTimesOf(url)));
    for (const url of services()) {
      const ready = await client(url).get('/readyz');
      // a front door keeps it, and metrics, to the operator
      if (isStackGiven && ready.status === 404) continue;
      expect(ready.status).toBe(200);
      for (const origin of ['request', 'elsewhere'])
        expect(await metricsOf(url)).toContain(`sluice_uncaught_errors_total{origin="${origin}"} 0`);
    }
    expect((await stack.main.get(`/tenants/${stack.tenant_id}`)).status).toBe(200);
    expect(stack.output()).not.toContain('ended unexpectedly');
  });
});

async function fuzz(
  { operationId, requests }: FuzzedOperation,
  url: string,
  credentials: () => Record<string, string>,
  statuses: Set<number>,
): Promise<void> {
  const property = fc.asyncProperty(requests, fc.nat({ max: 9 }), async (request, chance) => {
    const headers = { ...request.headers, ...(chance > 0 && credentials()) };
    const answer = await ask(url, { ...request, headers });
    statuses.add(answer.status);
    const logged = answer.status === 500 ? await logOf(answer) : [];
    expect([operationId, ...faultsOf(answer), ...logged]).toEqual([operationId]);
  });
  await fc.assert(property, { numRuns: runs, seed });
}

/** What the services have logged about a request. */
async function logOf({ headers }: Answer): Promise<string[]> {
  const folder = join(stack.home, 'logs');
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
  );
  const id = headers.get('svc-request') ?? 'no id';
  return texts.flatMap((text) => text.split('\n')).filter((line) => line.includes(id));
}

async function ask(url: string, { method, path, headers, body }: FuzzedRequest): Promise<Answer> {
  // a poll that is held takes its time, and tells nothing
  const soon = path.startsWith('/agent/v1/desired') ? path.replace(/wait=[^&]*/, 'wait=0') : path;
  const held = soon.startsWith('/agent/v1/desired') && !soon.includes('wait=');
  const address = held ? `${soon}${soon.includes('?') ? '&' : '?'}wait=0` : soon;
  return await client(url).request(method, address, body, headers);
}
