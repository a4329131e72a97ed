import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { DeploymentSpec } from '@sluice/contracts';
import { aDeployment, eventually } from '@sluice/testing';
import { call, connectTo, untilStatus } from '#test/client.ts';
import { supervisor } from '#test/region.ts';

const region = supervisor({ replicas: 1 });
const secret = 'readable-on-no-disk';
let url: string;
let key: string;
let shape: DeploymentSpec;

beforeAll(async () => {
  ({ url } = region.replica());
  key = await region.key();
  shape = await created(true);
  const client = await connect();
  await (await jetstreamManager(client)).streams.add({ name: 'KEPT', subjects: ['kept'] });
  for (let i = 0; i < 50; i++) await jetstream(client).publish('kept', `${secret} ${i}`);
  await client.close();
}, 120_000);

async function created(encrypted: boolean): Promise<DeploymentSpec> {
  const made = aDeployment({
    encrypted,
    storage: { type: 'network_balanced', size: 10 },
    limits: { access_rules: 10, backups: 3, backup_days: 30 },
  });
  await region.apply(made);
  await untilStatus(url, key, made.id, 'initialized', 60_000);
  return made;
}

const post = (path: string, body: object = {}, of = shape) =>
  call(`${url}/deployments/${of.id}/${path}`, key, { method: 'POST', body });
const connect = async () =>
  await eventually(async () =>
    connectTo(url, key, await untilStatus(url, key, shape.id, 'initialized', 60_000)),
  );

/** Resolves once all data is known to be encrypted with a version of the key. */
const untilEncrypted = (version: number) =>
  eventually(
    async () => {
      const { body } = await call(`${url}/deployments/${shape.id}`, key);
      expect(body).toMatchObject({
        status: 'initialized',
        conditions: expect.arrayContaining([
          expect.objectContaining({
            ...{ type: 'Encrypted', status: 'True', reason: 'KeyApplied' },
            message: `version ${version} of the key`,
          }),
        ]) as unknown[],
      });
    },
    { timeoutMs: 30_000 },
  );

/** The messages, in their order. */
async function held(): Promise<(string | undefined)[]> {
  const client = await connect();
  const { streams } = await jetstreamManager(client);
  const { state } = await streams.info('KEPT');
  const texts = [];
  for (let seq = 1; seq <= state.last_seq; seq++)
    texts.push((await streams.getMessage('KEPT', { seq }))?.string());
  await client.close();
  return texts;
}

/** The files below a folder in which a text can be read. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const found = await Promise.all(
    files.map(async (file) => ((await readFile(file).catch(() => Buffer.of())).includes(text) ? [file] : [])),
  );
  return found.flat();
}

async function backUp(): Promise<number> {
  const { body } = await post('backups', { name: 'sealed' }).then(() =>
    call(`${url}/deployments/${shape.id}/backups`, key),
  );
  const [{ id }] = body as [{ id: number }];
  await eventually(
    async () => {
      const found = await call(`${url}/deployments/${shape.id}/backups/${id}`, key);
      expect(found.body).toMatchObject({ status: 'completed' });
    },
    { timeoutMs: 30_000 },
  );
  return id;
}

test('what an encrypted broker stores can be read neither on its disk nor in a backup', async () => {
  await untilEncrypted(1);
  expect(await held()).toHaveLength(50);
  await backUp();
  expect(await filesWith(region.nodesFolder, secret)).toEqual([]);
  expect(await filesWith(region.backupsFolder, secret)).toEqual([]);
}, 60_000);

test('what another broker stores can be', async () => {
  const plain = await created(false);
  const client = await connectTo(url, key, await untilStatus(url, key, plain.id, 'initialized'));
  await (await jetstreamManager(client)).streams.add({ name: 'PLAIN', subjects: ['plain'] });
  await jetstream(client).publish('plain', 'readable-on-disk');
  await client.close();
  await eventually(async () =>
    expect(await filesWith(region.nodesFolder, 'readable-on-disk')).not.toEqual([]),
  );
  expect(await post('encryption/rotate', {}, plain)).toMatchObject({
    ...{ status: 409, body: { code: 'state_conflict', detail: 'The deployment is not encrypted.' } },
  });
}, 60_000);

test('a rotation encrypts all data with another key, and a backup from before can be restored', async () => {
  await untilEncrypted(1);
  const backup = await backUp();
  for (const version of [2, 3]) {
    // not while the backup ends
    await eventually(async () => expect((await post('encryption/rotate')).body).toEqual({}));
    expect(await post('encryption/rotate')).toMatchObject({ status: 409 });
    await untilEncrypted(version);
    expect(await held()).toHaveLength(50);
  }
  const client = await connect();
  await (await jetstreamManager(client)).streams.purge('KEPT');
  await client.close();
  expect((await post(`backups/${backup}/restore`)).status).toBe(204);
  await eventually(async () => expect((await held())[49]).toBe(`${secret} 49`), { timeoutMs: 60_000 });
  await untilEncrypted(3);
  expect(await filesWith(region.nodesFolder, secret)).toEqual([]);
}, 180_000);

test('a region that was restored to before a rotation does not lock the data, and gives out no version twice', async () => {
  await untilEncrypted(3);
  await region.sql('DELETE FROM encryption_keys WHERE deployment_id = $1 AND version = 3', [shape.id]);
  await region.sql('UPDATE deployments SET revision = revision + 1 WHERE id = $1', [shape.id]);
  await post('activities/broker/restart');
  expect((await held())[49]).toBe(`${secret} 49`);
  await eventually(async () => expect((await post('encryption/rotate')).body).toEqual({}), {
    timeoutMs: 20_000,
  });
  await untilEncrypted(4);
  expect((await held())[49]).toBe(`${secret} 49`);
}, 90_000);
