import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkPackage, Package } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { Rolldown } from 'tsdown';
import { testFolder } from '@sluice/testing';
import { buildClient } from './build.ts';

/** packages/client as it is published. */

let project: string;
let built: string;
beforeAll(async () => {
  project = await testFolder();
  built = join(project, 'node_modules/@sluice/client');
  await buildClient(built);
}, 120_000);

const manifest = async () =>
  JSON.parse(await readFile(join(built, 'package.json'), 'utf8')) as Record<string, string>;

test('publint finds nothing to say', async () => {
  const files = await readdir(built);
  expect(files.sort()).toEqual(['README.md', 'index.d.ts', 'index.js', 'package.json']);
  const { messages, pkg } = await publint({ pkgDir: built, pack: false, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

test('its types are found by everything that resolves ESM', async () => {
  const { name = '', version = '' } = await manifest();
  const contents = await Promise.all(
    (await readdir(built)).map(
      async (file) => [`/node_modules/${name}/${file}`, await readFile(join(built, file), 'utf8')] as const,
    ),
  );
  const analysis = await checkPackage(new Package(Object.fromEntries(contents), name, version));
  if (!analysis.types) throw new Error('it has no types');
  // require() gets an ESM, which Node 20.19 and newer load; the resolution of Node 10 knows no `exports`, and is not promised
  const { problems } = analysis;
  expect(problems.filter(({ kind }) => kind !== 'CJSResolvesToESM')).toEqual([]);
});

test('it depends on nothing', async () => {
  expect(await manifest()).not.toHaveProperty('dependencies');
  const text = await readFile(join(built, 'index.js'), 'utf8');
  expect(text).not.toMatch(/^import /m);
  expect(text).not.toMatch(/\brequire\(|node:/);
});

test('what a page uses has less than 25 KB', async () => {
  const page = join(project, 'page.js');
  await writeFile(
    page,
    `import { createClient, getDeployment, listDeployments, paginate, SluiceError, waitForDeployment } from '@sluice/client';
    const client = createClient({ url: location.origin, csrfToken: 'token' });
    for await (const { id } of paginate(listDeployments, { client, path: { tenant_id: 1, division_id: 1, environment_id: 1 } })) {
      const path = await client.locate(id);
      document.body.append((await getDeployment({ client, path })).data.name);
      await waitForDeployment({ client, deployment_id: id }).catch((error) => {
        if (error instanceof SluiceError) document.body.append(error.message);
      });
    }`,
  );
  const bundle = await Rolldown.rolldown({ input: page, platform: 'browser' });
  const { output } = await bundle.generate({ minify: true });
  await bundle.close();
  const [{ code }, ...others] = output;
  expect(others).toEqual([]);
  expect(code).not.toContain('cloud_accounts');
  expect(gzipSync(code).byteLength).toBeLessThan(25_000);
});
