import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { openContexts } from '../src/context/contexts.ts';

const context = { url: 'https://api.example.com', tenant: { id: 1, name: 'Acme' }, place: null };

async function contextsIn(env: NodeJS.ProcessEnv = {}) {
  const folder = await testFolder();
  const open = (more: NodeJS.ProcessEnv = {}) =>
    openContexts({ SLUICE_CONFIG_DIR: folder, SLUICE_KEYRING: 'off', ...env, ...more });
  return { folder, open, contexts: open() };
}

test('the key of the environment goes before all, then the option, the variable, and the context in use', async () => {
  const { contexts, open } = await contextsIn();
  for (const name of ['a', 'b', 'c'])
    await contexts.save(name, { ...context, url: `https://${name}.example.com` }, `key-${name}`);
  await contexts.use('c');
  expect(await contexts.choose()).toMatchObject({ name: 'c' });
  expect(await open({ SLUICE_CONTEXT: 'b' }).choose()).toMatchObject({ name: 'b' });
  const option = await open({ SLUICE_CONTEXT: 'b' }).choose('a');
  expect({ url: option.url, key: await option.key() }).toEqual({
    url: 'https://a.example.com',
    key: 'key-a',
  });
  const key = await open({ SLUICE_API_KEY: 'key-e' }).choose('a');
  expect({ url: key.url, tenant: key.tenant, key: await key.key() }).toEqual({
    url: 'https://a.example.com',
    tenant: null,
    key: 'key-e',
  });
  const both = await open({ SLUICE_API_KEY: 'key-e', SLUICE_URL: 'https://e.example.com/' }).choose('a');
  expect(both).toMatchObject({ name: null, url: 'https://e.example.com' });
});

test('a key is sent to no other address than its own', async () => {
  const { contexts, open } = await contextsIn();
  await contexts.save('a', context, 'key-a');
  await expect(open({ SLUICE_URL: 'https://evil.example' }).choose('a')).rejects.toMatchObject({
    exitCode: 2,
  });
  await contexts.forgetKey('a');
  await expect((await contexts.choose('a')).key()).rejects.toMatchObject({ exitCode: 3 });
});

test('the stack of a checkout goes before the context in use, and not before one that is named', async () => {
  const { folder, contexts, open } = await contextsIn();
  await contexts.save('a', context, 'key-a');
  await contexts.use('a');
  const file = join(folder, 'stack.json');
  const local = { SLUICE_LOCAL_STACK: file };
  expect(await open(local).choose()).toMatchObject({ name: 'a' });
  await writeFile(
    file,
    JSON.stringify({ base_url: 'http://127.0.0.1:7600', tenant_id: 1, api_key: 'key-l' }),
  );
  const chosen = await open(local).choose();
  expect({ name: chosen.name, key: await chosen.key() }).toEqual({ name: 'local', key: 'key-l' });
  expect(await open(local).choose('a')).toMatchObject({ name: 'a' });
});

test('two that sign in at a time keep both contexts, and no half of a file is left', async () => {
  const { folder, contexts, open } = await contextsIn();
  const names = Array.from({ length: 20 }, (_, at) => `context-${at}`);
  await Promise.all(names.map(async (name) => open().save(name, context, `key of ${name}`)));
  await Promise.all(names.map(async (name) => contexts.save(name, context, `key of ${name}`)));
  expect((await contexts.list()).map(({ name }) => name)).toEqual([...names].sort());
  for (const name of names) expect(await (await contexts.choose(name)).key()).toBe(`key of ${name}`);
  expect((await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a key that others could read is made private when it is read', async () => {
  const { folder, contexts } = await contextsIn();
  await contexts.save('a', context, 'key-a');
  await chmod(join(folder, 'keys/a'), 0o644);
  await (await contexts.choose('a')).key();
  expect((await stat(join(folder, 'keys/a'))).mode & 0o777).toBe(0o600);
});

test('a sign-in that was cut off, or overtaken by another one, sends no key to the address of the other', async () => {
  const { folder, contexts } = await contextsIn();
  await contexts.save('a', context, 'key-a');
  const first = await readFile(join(folder, 'contexts/a.json'));
  await contexts.save('a', { ...context, url: 'https://other.example.com' }, 'key-o');
  expect(await (await contexts.choose('a')).key()).toBe('key-o');
  // the second one had written its key and not yet its context
  await writeFile(join(folder, 'contexts/a.json'), first);
  await expect((await contexts.choose('a')).key()).rejects.toMatchObject({
    exitCode: 3,
    next: 'sluice login --context a',
  });
});

test('a key that was put into a keyring which is not here any more is asked for again', async () => {
  const { folder, contexts } = await contextsIn();
  await contexts.save('a', context, 'key-a');
  await writeFile(join(folder, 'contexts/a.json'), JSON.stringify({ ...context, key: 'keyring' }));
  await expect((await contexts.choose('a')).key()).rejects.toMatchObject({ exitCode: 3 });
});

test('names lead out of no folder, and a damaged file is named', async () => {
  const { folder, contexts } = await contextsIn();
  for (const name of ['../x', '.x', 'a/b', '', 'x'.repeat(64)])
    await expect(contexts.choose(name || '../')).rejects.toMatchObject({ exitCode: 2 });
  await contexts.save('a', context, 'key-a');
  await writeFile(join(folder, 'contexts/a.json'), '{');
  await expect(contexts.choose('a')).rejects.toMatchObject({
    exitCode: 2,
    next: 'delete it and sign in: sluice login --context a',
  });
});
