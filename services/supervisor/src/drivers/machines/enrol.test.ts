import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { access, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { DeploymentId, DeploymentSpec, Machine } from '@sluice/contracts';
import { aDeployment, client, eventually, type TestReplica } from '@sluice/testing';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { connectTo, untilGone, untilStatus, type Deployment } from '#test/client.ts';
import { httpsFront, testMachine, type TestMachine } from '#test/machine.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';
import type { components } from '../../generated/api.ts';

type Enrolment = components['schemas']['NodeEnrolment'];

/** as long as a machine at load takes to fetch the programs, unpack them and start */
const patience = 120_000;
const region = supervisor();
let machine: TestMachine | null;
let front: Awaited<ReturnType<typeof httpsFront>> | undefined;
let replica: TestReplica;
let key: string;
let streamPage: string;

beforeAll(async () => {
  machine = await testMachine();
  if (machine) front = await httpsFront(machine.host, () => replica.url);
  streamPage = await mkdtemp(join(tmpdir(), 'sluice-stream-page-'));
  await writeFile(join(streamPage, 'index.html'), '<meta property="csp-nonce" nonce="__CSP_NONCE__">Streams');
  replica = await region.start({
    STREAM_PAGE_FILES: streamPage,
    ...(front && { AGENT_API_URL: front.url, AGENT_API_AUTHORITY: front.authority }),
    NODE_UNREACHABLE_SECONDS: '2',
  });
  key = await region.key();
}, 60_000);
afterAll(async () => {
  await machine?.remove();
  await front?.close();
  await rm(streamPage, { recursive: true, force: true });
});

const aByoc = async (more: Partial<DeploymentSpec> = {}) => {
  const shape = aDeployment({ uid: randomUUID(), variant: 'byoc', tier: 'small', ...more });
  await region.apply(shape);
  return { id: shape.id, node: shape.nodes[0]!.id };
};
type Byoc = Awaited<ReturnType<typeof aByoc>>;

const enrolmentOf = ({ id, node }: Byoc, headers?: Record<string, string>) =>
  client(replica.url, key).request<Enrolment>(
    ...(['POST', `/deployments/${id}/nodes/${node}/enrolment`, undefined, headers] as const),
  );
const show = async (id: DeploymentId) =>
  (await client(replica.url, key).get<Deployment>(`/deployments/${id}`)).body;

const admit = (id: DeploymentId) =>
  client(replica.url, key).post(`/deployments/${id}/access_rules`, {
    name: 'all',
    rules: { broker_tcp: true, broker_http: true, broker_websocket: true, broker_udp: false },
    cidr_blocks: ['0.0.0.0/0'],
  });

/** The command as it is told, with the folders of this test: what is given to `sudo` counts, and not what is around it. */
const into = (folder: string, command: string) =>
  command.replace(' SLUICE_NODE=', ` SLUICE_DIR=${folder} SLUICE_KEYS=${keysOf(folder)} SLUICE_NODE=`);
const keysOf = (folder: string) => `${folder}-keys`;

/** Runs a new command on the machine as its administrator would; the programs are fetched once, for all stay in one folder. */
async function enrol(byoc: Byoc, on: TestMachine): Promise<string> {
  const { body } = await enrolmentOf(byoc);
  return await on.paste(into(join(on.folder, 'one'), body.command));
}

/** An IPv4 address as Linux lists it. */
const hexadecimal = (address: string) =>
  Buffer.from(address.split('.').map(Number).reverse()).toString('hex').toUpperCase();

describe('the command', () => {
  test('is told for nodes that wait for it, anew each time, and the audit log has who asked', async () => {
    const byoc = await aByoc();
    const waiting = await untilStatus(replica.url, key, byoc.id, 'waiting_for_nodes');
    expect(waiting.nodes).toMatchObject([{ status: 'waiting_for_enrolment', machine: null }]);
    await eventually(async () =>
      expect((await show(byoc.id)).status_reason).toMatch(
        /node node-1: it waits for its machine: .*enrolment/,
      ),
    );
    const [first, second] = [await enrolmentOf(byoc), await enrolmentOf(byoc)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers.get('cache-control')).toBe('no-store');
    expect(second.body.command).not.toBe(first.body.command);
    expect(second.body.command).not.toContain('SLUICE_PRIVATE');
    const [{ token_hash } = { token_hash: null }] = await region.sql<{ token_hash: string | null }>(
      'SELECT token_hash FROM nodes WHERE id = $1',
      [byoc.node],
    );
    expect(first.body.command + second.body.command).not.toContain(token_hash);
    const issued = await eventually(async () => {
      const events = await messagesAbout<{ type: string }>(region, 'events', byoc.id);
      const found = events.filter(({ type }) => type === 'node_enrolment_issued');
      expect(found).toHaveLength(2);
      return found;
    });
    expect(JSON.stringify(issued)).not.toContain(/SLUICE_TOKEN=(\S+)/.exec(second.body.command)?.[1]);
  }, 90_000);

  test('is not made by a read, and is the same under one Idempotency-Key, whose stored answer hides it', async () => {
    const byoc = await aByoc();
    await untilStatus(replica.url, key, byoc.id, 'waiting_for_nodes');
    const tokenHash = async () =>
      await region.sql('SELECT token_hash, token_expires_at FROM nodes WHERE id = $1', [byoc.node]);
    const before = await tokenHash();
    const read = await client(replica.url, key).get(`/deployments/${byoc.id}/nodes/${byoc.node}/enrolment`);
    expect([read.status, await tokenHash()]).toEqual([405, before]);
    const headers = { 'idempotency-key': randomUUID() };
    const [first, again] = [await enrolmentOf(byoc, headers), await enrolmentOf(byoc, headers)];
    expect([first.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.body).toEqual(first.body);
    const token = /SLUICE_TOKEN=(\S+)/.exec(first.body.command)?.[1];
    expect(token).toBeDefined();
    expect(JSON.stringify(await region.sql('SELECT * FROM idempotent_requests'))).not.toContain(token);
  }, 90_000);

  test('is refused for nodes that the region makes, for others, and of a deployment that goes', async () => {
    const managed = aDeployment();
    await region.apply(managed);
    const ofManaged = { id: managed.id, node: managed.nodes[0]!.id };
    await eventually(async () =>
      expect(await enrolmentOf(ofManaged)).toMatchObject({ status: 409, body: { code: 'state_conflict' } }),
    );
    expect(await enrolmentOf({ ...ofManaged, node: 999_999 as typeof ofManaged.node })).toMatchObject({
      status: 404,
    });
    const [one, other] = [await aByoc(), await aByoc()];
    await untilStatus(replica.url, key, one.id, 'waiting_for_nodes');
    expect((await enrolmentOf({ ...one, node: other.node })).status).toBe(404);
    await region.remove(other.id);
    // nobody has enrolled, so nobody is waited for
    await untilGone(replica.url, key, other.id);
    expect((await enrolmentOf(other)).status).toBe(404);
    await region.remove(managed.id);
  }, 60_000);

  test('of another archive than that of this release is not handed out', async () => {
    const { status } = await client(replica.url).get(`/agent/v1/programs/${'0'.repeat(64)}`);
    expect(status).toBe(404);
  }, 60_000);
});

const addressPrivate = ({ conditions }: Deployment) =>
  conditions.find(({ type }) => type === 'AddressPrivate');

test('a machine at a public address, or whose agent listens on one, is no node of a private deployment', async () => {
  const byoc = await aByoc({ public_ip_enabled: false });
  await untilStatus(replica.url, key, byoc.id, 'waiting_for_nodes');
  const { command } = (await enrolmentOf(byoc)).body;
  expect(command).toContain(' SLUICE_PRIVATE=true ');
  const token = /SLUICE_TOKEN=(\S+)/.exec(command)?.[1];
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  const { kty, crv, x } = await exportJWK(publicKey);
  const machine = {
    ...{ hostname: 'theirs', system: 'Debian', kernel: '6', architecture: 'x64', processors: 1 },
    ...{ memory_bytes: 1, disk_bytes: 1, holds_data: false },
  };
  const at = (address: string, listens_on?: string): Machine => ({
    ...{ ...machine, address },
    ...(listens_on !== undefined && { listens_on }),
  });
  const send = async (path: string, body: object, agent?: string) =>
    (
      await fetch(`${replica.url}/agent/v1/${path}`, {
        ...{ method: 'POST', body: JSON.stringify(body) },
        headers: { 'content-type': 'application/json', ...(agent && { authorization: `Bearer ${agent}` }) },
      })
    ).status;
  const enrolment = { token, public_key: { kty, crv, x }, machine: at('198.51.100.7', '198.51.100.7') };
  expect(await send('enrol', enrolment)).toBe(200);
  const agent = await new SignJWT()
    .setProtectedHeader({ alg: 'EdDSA' })
    .setSubject(String(byoc.node))
    .setAudience('sluice-supervisor')
    .setExpirationTime('1 min')
    .sign(privateKey);
  const told = (reason: RegExp, status: string) =>
    eventually(async () => {
      const is = await show(byoc.id);
      expect(is.status_reason).toMatch(reason);
      expect(addressPrivate(is)?.status).toBe(status);
      expect(is.network).toMatchObject({ public_ips: [], private_ips: [] });
    });
  await told(/node node-1: its machine is at 198\.51\.100\.7, which is no private IP address/, 'False');
  for (const [reported, reason] of [
    [at('brokers.example', '10.20.0.4'), /at brokers\.example, which is no private/],
    [at('10.20.0.4', '0.0.0.0'), /its agent listens on 0\.0\.0\.0, not on a private one alone/],
    [at('10.20.0.4'), /its agent listens on an address that it does not say/],
  ] as const) {
    expect(await send('machine', reported, agent)).toBe(204);
    await told(reason, 'False');
  }
  expect(await send('machine', at('10.20.0.4', '10.20.0.4'), agent)).toBe(204);
  await untilStatus(replica.url, key, byoc.id, 'deploying_nodes');
  await region.remove(byoc.id);
}, 90_000);

test('a machine that was wiped is not taken for the node before somebody accepts that the data is lost', async () => {
  if (!machine) return;
  const byoc = await aByoc();
  await untilStatus(replica.url, key, byoc.id, 'waiting_for_nodes');
  await enrol(byoc, machine);
  const made = await untilStatus(replica.url, key, byoc.id, 'initialized', patience);
  expect(made.nodes).toMatchObject([{ public_ip: machine.address }]);
  await eventually(() =>
    region.sql('SELECT 1 FROM nodes WHERE id = $1 AND deployed_at IS NOT NULL', [byoc.node]),
  );
  await machine.cutPower();
  await rm(join(machine.folder, 'one/home'), { recursive: true });
  await expect(enrol(byoc, machine)).rejects.toThrow(/accept the loss of the data/);
  const lost = await untilStatus(replica.url, key, byoc.id, 'failed', patience);
  expect(lost.status_reason).toMatch(/data_lost/);
  const accept = `/deployments/${byoc.id}/nodes/${byoc.node}/accept_data_loss`;
  expect((await client(replica.url, key).post(accept)).status).toBe(202);
  await enrol(byoc, machine);
  await untilStatus(replica.url, key, byoc.id, 'initialized', patience);

  // a machine that is gone keeps no deletion waiting for ever
  await machine.cutPower();
  await region.remove(byoc.id);
  await untilGone(replica.url, key, byoc.id, patience);
  // by hand, as whoever owns the machine
  await rm(join(machine.folder, 'one/home'), { recursive: true });
}, 420_000);

test('a machine that reaches nothing but the supervisor becomes the node by it, serves, and is clean when it goes', async () => {
  if (!machine || !front) return;
  const byoc = await aByoc({ public_ip_enabled: false });
  await untilStatus(replica.url, key, byoc.id, 'waiting_for_nodes');
  const folder = join(machine.folder, 'one');
  // one that another call has made void
  const { body: former } = await enrolmentOf(byoc);
  await enrolmentOf(byoc);
  await expect(machine.paste(into(folder, former.command))).rejects.toThrow(/was not taken for the node/);
  const said = await enrol(byoc, machine);
  expect(said).toMatch(new RegExp(`this machine is node ${byoc.node} now`));
  const is = await untilStatus(replica.url, key, byoc.id, 'initialized', patience);
  expect(is.endpoints.broker_tcp).toBe(`${machine.address}:4222`);
  const { address } = machine;
  expect(is.nodes).toMatchObject([
    { status: 'healthy', public_ip: null, private_ip: address, machine: { address } },
  ]);
  expect(addressPrivate(is)).toMatchObject({ status: 'True', message: `node-1 at ${address}` });
  // at no other address of the machine, and at none while it has no private one
  const heartbeatGrace = async () =>
    (await machine?.paste(`awk '$4 == "0A" { print $2 }' /proc/net/tcp /proc/net/tcp6`))
      ?.split('\n')
      .filter((local) => local.endsWith(':107E'));
  expect(await heartbeatGrace()).toEqual([`${hexadecimal(address)}:107E`]);
  // a copy of the folder reveals no secret without the key, and that is root's alone
  const { body: login } = await client(replica.url, key).get<{ password: string }>(
    `/deployments/${byoc.id}/credentials`,
  );
  const secrets = [login.password, 'PRIVATE KEY', '"d":"'].flatMap((secret) => ['-e', secret]);
  const search = promisify(execFile)('grep', [
    '-rlF',
    ...secrets,
    join(folder, 'home'),
    join(folder, 'agent.env'),
  ]);
  await expect(search).rejects.toMatchObject({ code: 1, stdout: '' });
  await expect(access(join(folder, 'enrolment-token'))).rejects.toThrow(/ENOENT/);
  const keyFile = join(keysOf(folder), `sluice-node-${byoc.node}.key`);
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  // what runs is what the supervisor has handed out
  const programs = await machine.programs();
  expect(programs.some((path) => path.endsWith('/nats-server'))).toBe(true);
  expect(programs.every((path) => path.startsWith(`${folder}/programs-`))).toBe(true);
  await admit(byoc.id);
  const connection = await connectTo(replica.url, key, is);
  // the page of streams came with the programs
  expect(is.endpoints.broker_http).toBe(`${machine.address}:8222`);
  expect(await machine.paste(`curl -ks https://${machine.address}:8222/`)).toContain('Streams');
  await (await jetstreamManager(connection)).streams.add({ name: 'KEPT', subjects: ['kept'] });
  await jetstream(connection).publish('kept', 'one');

  const readdress = (from: string, to: string) =>
    machine?.paste(
      `dev=$(ip -o address show to ${from} | awk '{ print $2 }')
       ip address delete ${from}/30 dev $dev && ip address add ${to}/30 dev $dev`,
    );
  await readdress(address, '198.51.100.6');
  await eventually(async () => expect(await heartbeatGrace()).toEqual([]), { timeoutMs: patience });
  await readdress('198.51.100.6', address);
  await machine.cutPower();
  await eventually(
    async () => expect((await show(byoc.id)).status_reason).toMatch(/has not been heard of since/),
    { timeoutMs: patience },
  );
  // on the same machine the data is there
  await enrol(byoc, machine);
  const again = await untilStatus(replica.url, key, byoc.id, 'initialized', patience);
  await eventually(async () => expect((await show(byoc.id)).nodes).toMatchObject([{ status: 'healthy' }]), {
    timeoutMs: patience,
  });
  const after = await connectTo(replica.url, key, again);
  expect((await (await jetstreamManager(after)).streams.info('KEPT')).state.messages).toBe(1);
  await after.close();
  await connection.close();

  await region.remove(byoc.id);
  await untilGone(replica.url, key, byoc.id, patience);
  await eventually(
    async () => {
      for (const path of [folder, keyFile, `/run/sluice-node-${byoc.node}`])
        await expect(access(path)).rejects.toThrow(/ENOENT/);
      expect(await machine?.programs()).toEqual([]);
    },
    { timeoutMs: patience },
  );
}, 420_000);
