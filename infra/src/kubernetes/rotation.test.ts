import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { keptServiceSecrets } from '../service-secrets.ts';
import { repository } from '../settings.ts';
import { kubernetesSecrets } from './secrets.ts';

const regions = [{ cloud: 'cloud_a', region: 'us-east-1' }];
const databases = ['main_api', 'audit', 'notifier', 'supervisor_cloud_a_us_east_1'];
const senders = ['main-api', 'audit', 'notifier', 'supervisor-cloud_a-us-east-1'];

/** The files that `rotate-keys.md` has a row for, as patterns. */
async function filesWithRow(): Promise<RegExp[]> {
  const page = await readFile(join(repository, 'docs/operations/rotate-keys.md'), 'utf8');
  const [, table = ''] = /^## All keys$([^]*?)^## /m.exec(page) ?? [];
  const cells = table.split('\n').flatMap((line) => /^\| (`[^|]*)\|/.exec(line)?.[1] ?? []);
  const names = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  return names.map(
    (name) =>
      new RegExp(
        `^${name
          .replaceAll('.', String.raw`\.`)
          .replace('<database>', `(${databases.join('|')})`)
          .replace('<sender>', `(${senders.join('|')})`)
          .replace('<cloud>', 'cloud_[a-z]')
          .replace('<region>', '[a-z0-9-]+')}$`,
      ),
  );
}

test('each key of an installation has a row that says how it is rotated, and each row is of a key', async () => {
  const folder = await testFolder();
  await mkdir(join(folder, 'secrets'));
  const home = { path: (...names: string[]) => join(folder, ...names) };
  const more = { namespace: 'sluice', postgresql: 'localhost:5432', smtpUrl: 'smtp://localhost' };
  await kubernetesSecrets(home, { ...more, regions, upgrading: false });
  const kept = await readdir(join(folder, 'secrets'));
  expect(kept.length).toBeGreaterThan(20);
  const patterns = await filesWithRow();
  expect(kept.filter((file) => !patterns.some((pattern) => pattern.test(file)))).toEqual([]);
  expect(patterns.filter((pattern) => !kept.some((file) => pattern.test(file)))).toEqual([]);
});

test('the local stack has no other keys, but for the name of a region', async () => {
  const folder = await testFolder();
  await mkdir(join(folder, 'secrets'));
  await keptServiceSecrets({ path: (...names: string[]) => join(folder, ...names) }, regions);
  const patterns = await filesWithRow();
  const kept = (await readdir(join(folder, 'secrets'))).map((file) =>
    file.replace('supervisor-cloud_a.keys', 'supervisor-cloud_a-us-east-1.keys'),
  );
  expect(kept.filter((file) => !patterns.some((pattern) => pattern.test(file)))).toEqual([]);
});
