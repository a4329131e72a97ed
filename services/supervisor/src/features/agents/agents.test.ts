import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DesiredState } from '@sluice/contracts';
import { aDeployment, eventually, silentAgent } from '@sluice/testing';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { call } from '#test/client.ts';
import { supervisor } from '#test/region.ts';

const run = promisify(execFile);
const revokeAgent = fileURLToPath(new URL('../../revoke-agent.ts', import.meta.url));

/** A node whose agent the test plays. */
interface Node {
  id: number;
  deploymentId: number;
  token: string;
}

async function newKey() {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const { kty, crv, x } = await exportJWK(publicKey);
  return { privateKey, jwk: { kty, crv, x } };
}

async function signed(
  privateKey: CryptoKey,
  { sub, aud = 'sluice-supervisor', seconds = 60 }: { sub: number | string; aud?: string; seconds?: number },
): Promise<string> {
  return await new SignJWT()
    .setProtectedHeader({ alg: 'EdDSA' })
    .setSubject(String(sub))
    .setAudience(aud)
    .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
    .sign(privateKey);
}

async function ask(url: string, token: string | undefined, body?: unknown) {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

const heartbeat = {
  agent_version: '1.0.0',
  applied_revision: 1,
  runtimes: [{ runtime: 'broker', status: 'running', version: '2.10', reason: null }],
  ports: { broker_tcp: 4000, broker_http: null, broker_websocket: null, broker_udp: null },
  statistics: null,
};

const statistics = {
  streams: 1,
  topics: 2,
  partitions: 2,
  segments: 3,
  messages: 1_000_000_000_000,
  consumer_groups: 0,
  clients: 4,
};

describe("the agents' API", () => {
  const region = supervisor({ replicas: 2, environment: { LOCAL_AGENT_ENTRY: silentAgent } });
  const [replica, other] = [region.replica(0), region.replica(1)];
  let key: string;

  beforeAll(async () => {
    key = await region.key();
  });

  async function aNode(): Promise<Node> {
    const shape = aDeployment();
    const id = shape.id + 1;
    await region.apply(shape);
    const path = join(region.nodesFolder, String(id), 'enrolment-token');
    return { id, deploymentId: shape.id, token: await eventually(() => readFile(path, 'utf8')) };
  }

  const enrol = (token: string, jwk: unknown) =>
    ask(`${replica.url}/agent/v1/enrol`, undefined, { token, public_key: jwk });

  async function anEnrolledNode() {
    const node = await aNode();
    const { privateKey, jwk } = await newKey();
    expect((await enrol(node.token, jwk)).status).toBe(200);
    return { ...node, privateKey, jwk };
  }

  const desired = async (
    node: { id: number; privateKey: CryptoKey },
    revision: number,
    wait: number,
    { url } = replica,
  ) =>
    await ask(
      `${url}/agent/v1/desired?revision=${revision}&wait=${wait}`,
      await signed(node.privateKey, { sub: node.id }),
    );

  test('serves its document', async () => {
    const { status, body } = await ask(`${replica.url}/agent/v1/openapi.json`, undefined);
    expect(status).toBe(200);
    expect(body).toMatchObject({ paths: { '/agent/v1/enrol': {} } });
  });

  test('answers an enrolment that is repeated with the same key alike, and refuses another key', async () => {
    const { id, deploymentId, token } = await aNode();
    const [mine, another] = [await newKey(), await newKey()];
    const answers = await Promise.all([enrol(token, mine.jwk), enrol(token, mine.jwk)]);
    for (const answer of [...answers, await enrol(token, mine.jwk)]) {
      expect(answer).toEqual({ status: 200, body: { node_id: id, deployment_id: deploymentId } });
    }
    expect(await enrol(token, another.jwk)).toMatchObject({
      status: 403,
      body: { code: 'enrolment_token_used' },
    });
  });

  test('lets one key win when two enrol at once with one token', async () => {
    const { token } = await aNode();
    const [a, b] = [await newKey(), await newKey()];
    const answers = await Promise.all([enrol(token, a.jwk), enrol(token, b.jwk)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  test('refuses an enrolment with an unknown token, one that is too old, and a malformed key', async () => {
    const { jwk } = await newKey();
    expect(await enrol(randomBytes(32).toString('base64url'), jwk)).toMatchObject({
      status: 401,
      body: { code: 'enrolment_token_invalid' },
    });
    const { id, token } = await aNode();
    await region.sql("UPDATE nodes SET token_expires_at = now() - interval '1 s' WHERE id = $1", [id]);
    expect(await enrol(token, jwk)).toMatchObject({ status: 401, body: { code: 'enrolment_token_invalid' } });
    expect((await enrol(token, { ...jwk, x: 'short' })).status).toBe(400);
    expect((await enrol(token, { ...jwk, d: 'private' })).status).toBe(400);
  });

  test('stores no token and no private key', async () => {
    const { id, token } = await anEnrolledNode();
    const [row] = await region.sql<{ row: string }>('SELECT nodes::text AS row FROM nodes WHERE id = $1', [
      id,
    ]);
    expect(row?.row).not.toContain(token);
    expect(row?.row).not.toContain('"d"');
  });

  test('refuses tokens that are missing, malformed, of another key or audience, too old or too long-lived', async () => {
    const node = await anEnrolledNode();
    const stranger = await newKey();
    const refused = [
      undefined,
      'nonsense',
      'a.b.c',
      await signed(stranger.privateKey, { sub: node.id }),
      await signed(node.privateKey, { sub: node.id, aud: 'somebody-else' }),
      await signed(node.privateKey, { sub: node.id, seconds: -10 }),
      await signed(node.privateKey, { sub: node.id, seconds: 300 }),
      await signed(node.privateKey, { sub: 'me' }),
      await signed(node.privateKey, { sub: node.id + 1 }),
      await new SignJWT()
        .setProtectedHeader({ alg: 'EdDSA' })
        .setSubject(String(node.id))
        .sign(node.privateKey),
    ];
    for (const token of refused) {
      for (const answer of [
        await ask(`${replica.url}/agent/v1/desired?wait=0`, token),
        await ask(`${replica.url}/agent/v1/heartbeats`, token, heartbeat),
      ]) {
        expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      }
    }
    expect((await desired(node, 0, 0)).status).toBe(200);
  });

  test('does not take an API key for an agent, nor an agent for an API key', async () => {
    const node = await anEnrolledNode();
    expect((await call(`${replica.url}/agent/v1/desired?wait=0`, key)).status).toBe(401);
    const token = await signed(node.privateKey, { sub: node.id });
    expect((await ask(`${replica.url}/deployments/${node.deploymentId}`, token)).status).toBe(401);
  });

  test('lets no agent of a node that the region has made say what its machine is', async () => {
    const node = await aNode();
    const { privateKey, jwk } = await newKey();
    const machine = {
      ...{ hostname: 'mine', system: 'Debian', kernel: '6', architecture: 'x64', processors: 1 },
      ...{ memory_bytes: 1, disk_bytes: 1, address: 'mine.example', holds_data: true },
    };
    const refused = { status: 409, body: { code: 'state_conflict' } };
    const enrolment = { token: node.token, public_key: jwk, machine };
    expect(await ask(`${replica.url}/agent/v1/enrol`, undefined, enrolment)).toMatchObject(refused);
    expect((await enrol(node.token, jwk)).status).toBe(200);
    const token = await signed(privateKey, { sub: node.id });
    expect(await ask(`${replica.url}/agent/v1/machine`, token, machine)).toMatchObject(refused);
    const told = () => region.sql('SELECT machine FROM nodes WHERE id = $1', [node.id]);
    expect(await told()).toEqual([{ machine: null }]);
    // an instance that the region has made in the customer's account enrols by the command that machines of customers run
    await region.sql("UPDATE deployments SET byoc_driver = 'cloud_a' WHERE id = $1", [node.deploymentId]);
    expect((await ask(`${replica.url}/agent/v1/enrol`, undefined, enrolment)).status).toBe(200);
    expect(await told()).toEqual([{ machine }]);
    await region.sql('UPDATE deployments SET byoc_driver = NULL WHERE id = $1', [node.deploymentId]);
  });

  test('tells its time with every answer, with a refusal too', async () => {
    const node = await anEnrolledNode();
    const begun = Date.now();
    const tokens = [await signed(node.privateKey, { sub: node.id }), 'a.b.c', undefined];
    const answers = await Promise.all(
      tokens.map((token) =>
        fetch(`${replica.url}/agent/v1/desired?wait=0`, { headers: { authorization: `Bearer ${token}` } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401]);
    for (const { headers } of answers) {
      const told = Number(headers.get('svc-time'));
      expect(told).toBeGreaterThanOrEqual(begun);
      expect(told).toBeLessThanOrEqual(Date.now());
    }
  });

  test('refuses an agent whose key was revoked at once, also where its poll is being held', async () => {
    const node = await anEnrolledNode();
    const { body } = await desired(node, 0, 0);
    const { revision } = body as DesiredState;
    const held = [desired(node, revision, 30), desired(node, revision, 30, other)];
    await eventually(() =>
      region.sql('SELECT 1 FROM nodes WHERE id = $1 AND applied_revision > 0', [node.id]),
    );
    await run(process.execPath, [revokeAgent, String(node.id)], {
      env: { PATH: process.env.PATH, DATABASE_URL: region.databaseUrl },
    });
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([401, 401]);
    expect((await desired(node, 0, 0)).status).toBe(401);
    const sign = await signed(node.privateKey, { sub: node.id });
    expect((await ask(`${replica.url}/agent/v1/heartbeats`, sign, heartbeat)).status).toBe(401);
    expect((await enrol(node.token, node.jwk)).status).toBe(401);
  });

  test("tells a broker how much it may store, of the deployment's tier and storage", async () => {
    const limits = { access_rules: 10, broker_disk: 9e9, broker_memory: 2 ** 29 };
    const shape = aDeployment({ limits });
    await region.apply(shape);
    const path = join(region.nodesFolder, String(shape.id + 1), 'enrolment-token');
    const token = await eventually(() => readFile(path, 'utf8'));
    const { privateKey, jwk } = await newKey();
    await enrol(token, jwk);
    expect((await desired({ id: shape.id + 1, privateKey }, 0, 0)).body).toMatchObject({
      broker: { values: { BROKER_STREAM_MAX_DISK: '9000000000', BROKER_STREAM_MAX_MEMORY: '536870912' } },
    });
  });

  test('answers at once when the revision differs, and 204 when nothing changes for the time asked for', async () => {
    const node = await anEnrolledNode();
    const { status, body } = await desired(node, 0, 30);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      revision: expect.any(Number) as number,
      node: { id: node.id, name: 'node-1' },
      deployment: { id: node.deploymentId, name: 'orders' },
      broker: { runtime: 'nats', state: 'running', values: {} },
      access_rules: [{ cidr_blocks: ['0.0.0.0/0'], valid_to: null }],
      heartbeat_seconds: 0.5,
    });
    const credentials = await call(`${replica.url}/deployments/${node.deploymentId}/credentials`, key);
    expect((body as DesiredState).broker.credentials).toEqual(credentials.body);
    const { revision } = body as DesiredState;
    expect((await desired(node, revision, 0)).status).toBe(204);
    const begun = performance.now();
    expect((await desired(node, revision, 1)).status).toBe(204);
    expect(performance.now() - begun).toBeGreaterThan(900);
  });

  test('wakes a poll that one replica holds when a rule changes on another', async () => {
    const node = await anEnrolledNode();
    const { revision: former } = (await desired(node, 0, 0)).body as DesiredState;
    const poll = desired(node, former, 30, other);
    const creation = call(`${replica.url}/deployments/${node.deploymentId}/access_rules`, key, {
      method: 'POST',
      body: {
        name: 'office',
        cidr_blocks: ['192.0.2.0/24'],
        rules: { broker_tcp: true, broker_http: false, broker_websocket: false, broker_udp: false },
      },
    });
    const { status, body } = await poll;
    expect(status).toBe(200);
    const { revision } = body as DesiredState;
    expect(revision).toBeGreaterThan(former);
    expect((body as DesiredState).access_rules).toHaveLength(2);
    // by asking for the next one, the agent says that it has applied this one, for which the creation waits
    const begun = performance.now();
    await desired(node, revision, 0, other);
    expect((await creation).status).toBe(201);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  test('answers a change of rules after three seconds when an agent does not apply it', async () => {
    const node = await anEnrolledNode();
    const begun = performance.now();
    const { status } = await call(`${replica.url}/deployments/${node.deploymentId}/access_rules`, key, {
      method: 'POST',
      body: {
        name: 'office',
        cidr_blocks: ['192.0.2.0/24'],
        rules: { broker_tcp: true, broker_http: false, broker_websocket: false, broker_udp: false },
      },
    });
    expect(status).toBe(201);
    const milliseconds = performance.now() - begun;
    expect(milliseconds).toBeGreaterThan(2_500);
    expect(milliseconds).toBeLessThan(5_000);
  });

  test('brings a deployment to initialized by what its agent says, and shows it', async () => {
    const node = await anEnrolledNode();
    const address = `${replica.url}/deployments/${node.deploymentId}`;
    const { revision } = (await desired(node, 0, 0)).body as DesiredState;
    const healthy = { ...heartbeat, applied_revision: revision };
    const sign = () => signed(node.privateKey, { sub: node.id });
    const failing = {
      ...healthy,
      runtimes: [{ ...heartbeat.runtimes[0], status: 'failed', reason: 'no' }],
    };
    expect((await ask(`${replica.url}/agent/v1/heartbeats`, await sign(), failing)).status).toBe(204);
    expect((await call(address, key)).body).toMatchObject({ nodes: [{ status: 'unhealthy' }] });
    expect((await ask(`${other.url}/agent/v1/heartbeats`, await sign(), healthy)).status).toBe(204);
    await eventually(async () =>
      expect((await call(address, key)).body).toMatchObject({
        status: 'initialized',
        runtime_version: '2.10',
        endpoints: { broker_tcp: '127.0.0.1:4000', broker_http: null },
        nodes: [{ status: 'healthy', agent_version: '1.0.0' }],
      }),
    );
  });

  test.each<[string, object]>([
    ['an address for a port', { ports: { ...heartbeat.ports, broker_http: 'javascript:alert(1)' } }],
    ['a port that does not exist', { ports: { ...heartbeat.ports, broker_http: 65536 } }],
    ['a number beyond all bounds', { statistics: { ...statistics, streams: 1e300 } }],
    ['a negative number', { statistics: { ...statistics, messages: -1 } }],
    ['half a stream', { statistics: { ...statistics, streams: 0.5 } }],
    ['a text for a version', { agent_version: '<b>1</b>' }],
    ['a revision beyond all bounds', { applied_revision: 2 ** 60 }],
    ['a long reason', { runtimes: [{ ...heartbeat.runtimes[0], reason: 'x'.repeat(501) }] }],
    ['many runtimes', { runtimes: Array.from({ length: 11 }, () => heartbeat.runtimes[0]) }],
  ])('refuses a forged heartbeat, which then reaches no screen: %s', async (_what, forged) => {
    const node = await anEnrolledNode();
    const sign = () => signed(node.privateKey, { sub: node.id });
    const send = async (body: object) => await ask(`${replica.url}/agent/v1/heartbeats`, await sign(), body);
    expect((await send({ ...heartbeat, statistics })).status).toBe(204);
    const screens = async () => {
      const deployment = await call(`${replica.url}/deployments/${node.deploymentId}`, key);
      const summary = await call(`${replica.url}/tenants/1/summary`, key);
      return [deployment.status, summary.status, deployment.body];
    };
    const before = await eventually(async () => {
      const shown = await screens();
      expect(shown).toMatchObject([200, 200, { endpoints: { broker_tcp: '127.0.0.1:4000' } }]);
      return shown;
    });
    expect(await send({ ...heartbeat, statistics, ...forged })).toMatchObject({ status: 400 });
    expect(await screens()).toMatchObject([
      200,
      200,
      { endpoints: (before[2] as { endpoints: object }).endpoints },
    ]);
  });

  test('answers polls that it holds when it stops', async () => {
    const node = await anEnrolledNode();
    const { revision } = (await desired(node, 0, 0)).body as DesiredState;
    const third = await region.start({ LOCAL_AGENT_ENTRY: silentAgent });
    const poll = desired(node, revision, 30, third);
    // the poll is held once the replica has noted the revision that it asks with
    await eventually(async () => {
      const [row] = await region.sql<{ applied_revision: number }>(
        'SELECT applied_revision FROM nodes WHERE id = $1',
        [node.id],
      );
      expect(row?.applied_revision).toBe(revision);
    });
    await third.stop();
    expect((await poll).status).toBe(204);
  });
});
