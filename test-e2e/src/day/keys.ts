import { connect, nkeyAuthenticator } from '@nats-io/transport-node';
import { signer, signingKeysSchema, trustedKeysSchema, verifier } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import type { Day } from './day.ts';
import { helm, use } from './helm.ts';
import { lastVersion } from './releases.ts';

const patience = { timeoutMs: 600_000, everyMs: 2_000 };
type Keys = ReadonlyMap<string, string>;

/** Rotates each kind of key by its page, while the installation is used, and tries the former ones. */
export async function rotate(day: Day): Promise<void> {
  const version = await lastVersion(day);
  use(day, helm, version);
  const cluster = await day.cluster();
  const before = await keysOf(day);
  const former = (name: string) => before.get(name) ?? '';
  const key = await cluster.makeKey();
  const loud = { keep: [/All Secrets/] };
  const node = {
    region: 'sluice-cloud-a-us-east-1',
    deployment: String(cluster.deployment),
    node: String(await cluster.node()),
  };
  await day.underLoad('rotations', async (load) => {
    const rotation = async (
      block: string,
      values: Record<string, string> = {},
      keep: readonly RegExp[] = loud.keep,
    ) => {
      load.during(block);
      await day.block(`rotate-keys: ${block}`, values, { keep });
    };
    await rotation('What is stored (2)');
    await rotation('What is stored (4)');
    await rotation('What is stored (5)');
    await rotation('What is stored (6)');
    await rotation('What is stored (7)', {}, [/[1-9]\d* encrypted anew\.$/]);
    await rotation('What is stored (8)');
    await rotation('Codes');
    await rotation('The password of a database');
    await rotation('The superuser of PostgreSQL');
    await rotation('What a service signs with');
    await rotation('What a service signs with (2)');
    await rotation('What a service signs with (3)');
    await rotation('NATS users', {}, [/Reloaded/]);
    await rotation('NATS users (2)', {}, [/Reloaded/]);
    await rotation('Operators and routes of NATS', {}, [/Reloaded/]);
  });
  await day.block('rotate-keys: Keys of nodes (2)', node, { keep: [/is refused/] });
  await day.block('rotate-keys: Keys of nodes (3)', node, { keep: [/deleted/] });
  await cluster.healthy();
  const sealed = await cluster.sealing();
  await day.block('rotate-keys: Keys of nodes (4)', node, { keep: [/deleted/] });
  await cluster.sealedAnew(sealed);
  await cluster.deleteKey(key.id);

  const now = await keysOf(day);
  for (const [pod, file, name] of [
    ['-n sluice deployment/main-api', 'main-api.keys', 'SECRETS_KEYS'],
    ['-n sluice deployment/audit', 'audit.keys', 'SECRETS_KEYS'],
    [
      '-n sluice-cloud-a-us-east-1 deployment/supervisor',
      'supervisor-cloud_a-us-east-1.keys',
      'SECRETS_KEYS',
    ],
    ['-n sluice deployment/main-api', 'protection.key', 'PROTECTION_KEY'],
  ] as const) {
    const held = await inPod(day, pod, name);
    expect(`${file}: the former one in the pod`, held.includes(former(file)), false);
    expect(`${file}: the new one in the pod`, held.includes(now.get(file) ?? '?'), true);
  }
  day.note('main-api.keys, audit.keys, supervisor-….keys, protection.key: the former one is in no pod');
  for (const [role, file, database] of [
    ['audit', 'audit.database', 'audit'],
    ['postgres', 'postgresql.superuser', 'postgres'],
  ] as const) {
    const said = await withPassword(day, role, database, former(file));
    expect(`${file}: the former one`, /password authentication failed/.test(said), true);
    day.note(`${file}: ${said.split('\n').find((line) => line.includes('authentication failed')) ?? ''}`);
    expect(
      `${file}: the new one`,
      (await withPassword(day, role, database, now.get(file) ?? '')).trim(),
      role,
    );
  }
  await trySignatures(day, former('audit.signing.json'), now.get('audit.signing.json') ?? '');
  for (const file of ['nats-audit.nk', 'nats-sluice-admin.nk', 'nats-operator.nk']) {
    const refused = await cluster.withNats((address) => connectNats(address, former(file), /authorization/i));
    expect(`${file}: the former one`, refused, 'Authorization Violation');
    day.note(`${file}: ${refused}`);
    expect(
      `${file}: the new one`,
      await cluster.withNats((address) => connectNats(address, now.get(file) ?? '')),
      'connected',
    );
  }
  expect('nats.routes', former('nats.routes') === now.get('nats.routes'), false);
  const statuses = await eventually(async () => {
    const answers = await cluster.statusesOf(key.token);
    if (answers.some((status) => status !== 401)) throw new Error(`the deleted API key: ${answers.join()}`);
    return answers;
  }, patience);
  day.note(`the deleted API key: ${statuses.join(', ')}`);
  await cluster.healthy();
}

function expect(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${what}: ${String(found)} instead of ${String(wanted)}`);
}

/** The Secret of the Job of keys, by its entries. */
export async function keysOf(day: Day): Promise<Keys> {
  const text = await day.kubectl('-n', 'sluice', 'get', 'secret', 'keys', '-o', 'json');
  const { data } = JSON.parse(text) as { data: Record<string, string> };
  return new Map(
    Object.entries(data).map(([name, value]) => [name, Buffer.from(value, 'base64').toString().trim()]),
  );
}

const inPod = (day: Day, pod: string, name: string): Promise<string> => {
  const [flag = '', namespace = '', deployment = ''] = pod.split(' ');
  return day.kubectl(flag, namespace, 'exec', deployment, '--', 'cat', `/etc/sluice/secrets/${name}`);
};

/** Connects from the admin pod, as PostgreSQL's own may not. @returns the role that PostgreSQL says, or what it refuses with */
async function withPassword(day: Day, role: string, database: string, password: string): Promise<string> {
  const url = `postgresql://${role}:${password}@postgresql.sluice-data:5432/${database}`;
  const query = ['psql', url, '-Atc', 'SELECT current_user'];
  return await day
    .kubectl('-n', 'sluice', 'exec', 'deployment/admin', '--', ...query)
    .catch((error: unknown) => String(error).replaceAll(password, '…'));
}

/** @param until what the answer has to be, where a tunnel may not be open yet */
async function connectNats(servers: string, seed: string, until = /./): Promise<string> {
  const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed));
  return await eventually(async () => {
    const said = await connect({ servers, authenticator, timeout: 10_000, reconnect: false }).then(
      async (connection) => {
        await connection.close();
        return 'connected';
      },
      (error: Error) => error.message,
    );
    if (/ECONNREFUSED|ECONNRESET|CONNECTION_REFUSED|refused|closed|timeout/i.test(said) || !until.test(said))
      throw new Error(said);
    return /authorization/i.test(said) ? 'Authorization Violation' : said;
  }, patience);
}

/** Whether services believe what was signed with a key. */
async function trySignatures(day: Day, former: string, now: string): Promise<void> {
  for (const pod of ['-n sluice deployment/main-api', '-n sluice-cloud-a-us-east-1 deployment/supervisor']) {
    const trusts = verifier(trustedKeysSchema.parse(await inPod(day, pod, 'TRUSTED_KEYS')));
    const signed = async (keys: string) => await signer(signingKeysSchema.parse(keys))('subject', 'payload');
    expect('the new signing key', await trusts(await signed(now), 'subject', 'payload'), 'audit');
    const said = await trusts(await signed(former), 'subject', 'payload').catch(
      (error: Error) => error.message,
    );
    expect('the former signing key', said, 'is signed with a key that is not trusted');
  }
  day.note('audit.signing.json: a signature with the former one is signed with a key that is not trusted');
}
