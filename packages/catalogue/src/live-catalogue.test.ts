import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Schedule } from '@sluice/controller';
import { createLog } from '@sluice/service';
import { eventually, testFolder } from '@sluice/testing';
import { Registry } from '@prometheus-io/client';
import { LiveCatalogue } from './live-catalogue.ts';

const catalogueFile = join(import.meta.dirname, '../../../infra/catalogue.yaml');

let folder: string;
let file: string;
let metrics: Registry;
let errors: string[];
let live: LiveCatalogue;
let schedule: Schedule | undefined;
let delivered: string;

beforeEach(async () => {
  delivered = await readFile(catalogueFile, 'utf8');
  folder = await testFolder();
  file = join(folder, 'catalogue.yaml');
  metrics = new Registry();
  errors = [];
});
afterEach(() => schedule?.stop());

const called = (name: string) => delivered.replace('name: Cloud A', `name: ${name}`);

/** Opens the catalogue and looks at its file all the time. */
async function watch(): Promise<void> {
  live = await LiveCatalogue.open(file);
  const log = Object.assign(createLog('tests', 'error'), {
    error: (_message: string, { error }: { error: unknown }) => errors.push(String(error)),
  });
  schedule = new Schedule({ log, metrics });
  schedule.add(live.job({ every: 0.005, metrics, log }));
}

/** Puts another file in the place of the one that is there. */
async function put(text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

const name = () => live.view.clouds[0]?.name;
const becomes = (expected: string) => eventually(() => expect(name()).toBe(expected));
const refused = async () =>
  (await metrics.getSingleMetric('sluice_catalogue_refused')?.get())?.values[0]?.value;

test('a file that is written over is taken over, wherever the catalogue was handed to', async () => {
  await writeFile(file, delivered);
  await watch();
  const { clouds } = live.view;
  await writeFile(file, called('Blue'));
  await becomes('Blue');
  // who holds a section has it as it was, and never half of each
  expect(clouds[0]?.name).toBe('Cloud A');
});

test('a file in whose place another is put is taken over', async () => {
  await writeFile(file, delivered);
  await watch();
  await put(called('Green'));
  await becomes('Green');
});

test('a volume whose links Kubernetes exchanges is taken over', async () => {
  const publish = async (version: string, text: string) => {
    await mkdir(join(folder, version));
    await writeFile(join(folder, version, 'catalogue.yaml'), text);
    await symlink(version, join(folder, '..data_tmp'));
    await rename(join(folder, '..data_tmp'), join(folder, '..data'));
  };
  await publish('..1', delivered);
  await symlink(join('..data', 'catalogue.yaml'), file);
  await watch();
  await publish('..2', called('Red'));
  await rm(join(folder, '..1'), { recursive: true });
  await becomes('Red');
});

test('half of a file, which could be a whole one, is not taken over while it is being written', async () => {
  await writeFile(file, delivered);
  live = await LiveCatalogue.open(file);
  const half = delivered.replaceAll('      - { key: us-west-2, name: US West 2, area: us }\n', '');
  await put(half);
  expect(await live.look()).toBe('unsettled');
  await put(called('Whole'));
  expect(await live.look()).toBe('unsettled');
  expect(live.view.clouds[0]?.regions).toHaveLength(6);
  expect(await live.look()).toBe('changed');
  expect(name()).toBe('Whole');
  expect(await live.look()).toBe('unchanged');
});

test('a broken file is refused and logged once with its line, and the old one kept until there is a good one', async () => {
  await writeFile(file, delivered);
  await watch();
  await put(delivered.replace('members_limit: 10\n', 'members_limit: many\n'));
  await eventually(async () => expect(await refused()).toBe(1));
  expect(name()).toBe('Cloud A');
  await rm(file);
  await eventually(() => expect(errors).toHaveLength(2));
  expect(errors[0]).toMatch(/line \d+: plans\.basic\.members_limit: /);
  expect(errors[1]).toMatch(/cannot be read/);
  expect(await refused()).toBe(1);

  await put(delivered);
  await eventually(async () => expect(await refused()).toBe(0));
  await put(called('White'));
  await becomes('White');
  expect(errors).toHaveLength(2);
});

test('the metric says which catalogue is in force', async () => {
  await writeFile(file, delivered);
  await watch();
  const sha256 = async () =>
    (await metrics.getSingleMetric('sluice_catalogue_in_force_since_seconds')?.get())?.values.map(
      ({ labels }) => labels['sha256'],
    );
  const [before] = (await sha256()) ?? [];
  expect(before).toMatch(/^[0-9a-f]{16}$/);
  await writeFile(file, called('Black'));
  await becomes('Black');
  const after = (await sha256()) ?? [];
  expect(after).toHaveLength(1);
  expect(after).not.toContain(before);
});
