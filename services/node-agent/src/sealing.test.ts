import { mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idOf, type ConnectorInstanceId, type DesiredState } from '@sluice/contracts';
import { eventually, freePort } from '@sluice/testing';
import { serverName, testAuthority } from '#test/certificates.ts';
import { client, createNode, newSealingKey, removeNodes, running, runningNode, streams } from '#test/node.ts';
import { credentials, everybody, type FirstBroker } from '#test/supervisor.ts';

afterEach(removeNodes);

const former = { username: 'before', password: 'formerPasswordOfClients' };
const ofCluster = { username: 'nodes', password: 'passwordOfTheCluster' };
const storageKey = '5a'.repeat(32);
const ofConnector = 'secretOfTheDestination';
const connectors: NonNullable<DesiredState['connectors']> = {
  state: 'running',
  instances: [
    {
      id: idOf<ConnectorInstanceId>(2),
      ...{ type: 'sink', connector_key: 'http', key: 'hook' },
      config: {
        ...{ id: 12, version: 1 },
        values: {
          streams: [{ stream: 'orders' }],
          plugin_config: { url: 'https://hooks.example', token: ofConnector },
        },
      },
    },
  ],
};

/** A broker with all that is secret where it is by itself. */
async function secretBroker(): Promise<FirstBroker & { ca: string }> {
  const { issue, authority } = await testAuthority();
  return {
    ca: authority,
    tls: await issue(),
    former_credentials: [{ ...former, valid_to: new Date(Date.now() + 3_600_000).toISOString() }],
    encryption: { version: 1, keys: [{ version: 1, key: storageKey }] },
  };
}

/** The only one of its cluster. */
async function secretCluster(): Promise<NonNullable<DesiredState['broker']['cluster']>> {
  const { issue } = await testAuthority();
  const [tls, host, server_name] = [await issue(), '127.0.0.1', 'node-1'];
  return {
    ...{ name: 'orders', server_name, host, tls, may_restart: true },
    routes: [{ server_name, host, port: await freePort() }],
    credentials: ofCluster,
  };
}

/** All regular files below a folder, as one text. */
async function contentOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1').catch(() => ''));
  return (await Promise.all(texts)).join('\n');
}

/** What stands in plain text in the folder of a node that has had all of these secrets. */
async function revealedBy(home: string, token: string): Promise<string[]> {
  const content = await contentOf(home);
  const secrets = [credentials.password, former.password, ofCluster.password, storageKey, ofConnector, token];
  const found = secrets.filter((secret) => content.includes(secret));
  return [...found, ...(/PRIVATE KEY|"d":"|\bSU[A-Z2-7]{56}\b/.exec(content) ?? [])];
}

async function end(agent: ReturnType<Awaited<ReturnType<typeof createNode>>['startAgent']>) {
  agent.child.kill('SIGKILL');
  await agent.ended;
}

test('a copy of the folder of a node reveals no secret, and its programs have what they need', async () => {
  const [{ ca, ...broker }, cluster] = [await secretBroker(), await secretCluster()];
  const node = await createNode({ broker: { ...broker, cluster } });
  node.startAgent({ AGENT_CLUSTER_PORT: String(cluster.routes[0]!.port) });
  const { ports } = await node.supervisor.heard(running);
  await node.supervisor.desire({ access_rules: everybody, connectors });
  await node.supervisor.heard((heartbeat) => heartbeat.connectors?.status === 'running');
  const tls = { ca, servername: serverName };
  for (const { username: user, password: pass } of [credentials, former])
    await (await client(`127.0.0.1:${ports.broker_tcp}`, { user, pass, tls })).close();
  await expect(client(`127.0.0.1:${ports.broker_tcp}`, { pass: 'wrong', tls })).rejects.toThrow(
    /authorization/i,
  );
  expect(await revealedBy(node.home, node.supervisor.token)).toEqual([]);
  // what has to be read as a file is where a copy has not got it
  expect(await contentOf(node.runtimeFolder)).toMatch(/passwordOfTheCluster[^]*PRIVATE KEY/);
  expect(await contentOf(node.runtimeFolder)).not.toContain(credentials.password);
  expect((await stat(node.runtimeFolder)).mode & 0o777).toBe(0o700);
}, 60_000);

test('a machine that restarts without its supervisor has the broker back from what is sealed', async () => {
  const { ca, ...broker } = await secretBroker();
  const node = await runningNode({ broker });
  await node.supervisor.desire({ access_rules: everybody });
  const connection = await client(node.tcp, { tls: { ca } });
  await (await streams(connection)).streams.add({ name: 'orders', subjects: ['orders.*'] });
  await connection.close();
  await node.supervisor.goAway();
  await end(node.agent);
  process.kill(await node.brokerPid(), 'SIGKILL');
  await rm(node.runtimeFolder, { recursive: true });

  const again = node.startAgent();
  await eventually(() => expect(again.messages).toContain('broker serves'));
  const back = await client(node.tcp, { tls: { ca } });
  expect((await (await streams(back)).streams.info('orders')).config.name).toBe('orders');
  await back.close();
  await node.supervisor.comeBack();
  await node.supervisor.hears(running);
});

test('files that are lost while the broker runs are written anew with its next configuration', async () => {
  const { supervisor, runtimeFolder, tcp, brokerPid } = await runningNode();
  const before = await brokerPid();
  await rm(runtimeFolder, { recursive: true });
  await supervisor.desire({
    access_rules: everybody,
    broker: { credentials: { ...credentials, password: 'changed' } },
  });
  await (await client(tcp, { pass: 'changed' })).close();
  expect(await brokerPid()).toBe(before);
});

test('with another key the agent has to enrol anew, and takes the state from its supervisor', async () => {
  const node = await runningNode();
  const identity = () => readFile(join(node.home, 'identity.json'), 'utf8');
  const former = await identity();
  await end(node.agent);
  await writeFile(node.keyFile, newSealingKey());
  const thief = node.startAgent();
  await eventually(() =>
    expect(thief.messages).toEqual(
      expect.arrayContaining([
        'the identity is sealed with another key, the agent has to enrol anew',
        'the kept desired state is damaged or of another sealing key, waiting for the supervisor',
        'no answer from the supervisor',
      ]),
    ),
  );
  expect(await identity()).not.toBe(former);

  node.supervisor.forget('another-token');
  await writeFile(join(node.home, 'enrolment-token'), 'another-token', { mode: 0o600 });
  await node.supervisor.hears(running);
}, 30_000);

test('a key that was rotated in front seals anew, and the former one can go', async () => {
  const node = await runningNode();
  await end(node.agent);
  const next = newSealingKey().replace('1:', '2:').trim();
  await writeFile(node.keyFile, `${next},${await readFile(node.keyFile, 'utf8')}`);
  const between = node.startAgent();
  await node.supervisor.hears(running);
  await end(between);
  await writeFile(node.keyFile, next);
  await node.supervisor.goAway();
  const last = node.startAgent();
  await eventually(() => expect(last.messages).toContain('broker serves'));
  await node.supervisor.comeBack();
  await node.supervisor.hears(running);
});

test.each([
  ['a key that is none', 'nothing', /sealing-key has to be <id>:<base64 of 32 bytes>/],
  ['no key', null, /the sealing key cannot be read: .*ENOENT/],
])('an agent with %s does not begin', async (_, key, reason) => {
  const node = await createNode();
  if (key === null) await rm(node.keyFile);
  else await writeFile(node.keyFile, key);
  const { code, errors } = await node.startAgent().ended;
  expect([code, errors]).toEqual([1, expect.stringMatching(reason)]);
});

test("an agent puts no secret into a folder that is somebody else's", async () => {
  const node = await createNode();
  const theirs = await realpath(await mkdtemp(join(tmpdir(), 'sluice-theirs-')));
  await symlink(theirs, node.runtimeFolder);
  const { code, errors } = await node.startAgent().ended;
  expect([code, errors]).toEqual([1, expect.stringMatching(/only the agent's user may enter/)]);
  expect(await readdir(theirs)).toEqual([]);
  await rm(theirs, { recursive: true });
});
