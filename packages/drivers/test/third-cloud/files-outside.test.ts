import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../../../..');
const sources = [
  '{packages,services}/*/{src,openapi}/**/*.{ts,tsx,yaml}',
  '{packages,services}/*/package.json',
  'infra/catalogue.yaml',
];
/** tests, what is generated, the packages of drivers, and the files of one cloud's own API */
const left = /\.test\.ts$|\/generated\/|^packages\/(driver-|testing\/)|\/cloud-[ab][-.][^/]*$/;
/** one cloud stands for each of them: what names it has to name a further one */
const named = /cloud[_-]b|[cC]loudB(?![a-z])/;

test('a further cloud needs an entry in these files, and a package of its own', async () => {
  const naming: string[] = [];
  for await (const file of glob(sources, { cwd: repository, exclude: ['**/node_modules'] }))
    if (!left.test(file) && named.test(await readFile(join(repository, file), 'utf8'))) naming.push(file);
  expect(naming.sort()).toEqual([
    'infra/catalogue.yaml',
    'packages/cli/src/commands/clouds/cloud.ts',
    'packages/cli/src/commands/clouds/index.ts',
    'packages/console-core/src/clouds/index.ts',
    'packages/contracts/src/clouds.ts',
    'packages/http/openapi/deployments.yaml',
    'services/main-api/openapi/clouds.yaml',
    'services/main-api/openapi/deployments.yaml',
    'services/main-api/src/features/deployments/byoc-clouds.ts',
    'services/supervisor/openapi/openapi.yaml',
    'services/supervisor/package.json',
    'services/supervisor/src/api/supervisor-api.ts',
    'services/supervisor/src/drivers/installed.ts',
  ]);
});

test('nothing compares a cloud with the name of one', async () => {
  const comparing: string[] = [];
  const compares = /[!=]== ?'cloud_\w+'|'cloud_\w+' ?[!=]==|case 'cloud_[ab]':/;
  for await (const file of glob('{packages,services,infra}/*/src/**/*.{ts,tsx}', { cwd: repository }))
    if (!left.test(file) && compares.test(await readFile(join(repository, file), 'utf8')))
      comparing.push(file);
  expect(comparing).toEqual([]);
});
