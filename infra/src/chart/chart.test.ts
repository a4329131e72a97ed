import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { testFolder } from '@sluice/testing';
import { Ajv } from 'ajv';
import { extract } from 'tar-stream';
import { parse, stringify } from 'yaml';
import { manifests, objectsIn, rendered, type KubernetesObject } from '../kubernetes/objects.ts';
import { faultsOf } from '../kubernetes/schema.ts';
import { kustomized, marks, withoutHashes } from './bases.ts';
import { chartFiles } from './chart.ts';
import { imageNames, referencesOf } from './images.ts';
import { installation } from './installation.ts';
import { identityOf } from './objects.ts';
import { packed } from './packed.ts';
import type { Values } from './values.ts';

const programs = {
  helm: process.env['HELM'] ?? 'helm',
  kubectl: 'kubectl',
  kubeconform: process.env['KUBECONFORM'] ?? 'kubeconform',
};
/** `-schema-location` of kubeconform */
const schemas = process.env['KUBECONFORM_SCHEMAS'];
const has = async (program: string, ...args: string[]) =>
  await promisify(execFile)(program, args).then(
    () => true,
    () => false,
  );

const digest = `sha256:${'a'.repeat(64)}`;
let folder: string;
let files: Map<string, string>;
let isThere = { helm: false, kubectl: false, kubeconform: false };
beforeAll(async () => {
  isThere = {
    helm: await has(programs.helm, 'version'),
    kubectl: await has(programs.kubectl, 'kustomize', '--help'),
    kubeconform: schemas !== undefined && (await has(programs.kubeconform, '-v')),
  };
  folder = await testFolder();
  if (!isThere.kubectl) return;
  const published = Object.fromEntries(imageNames.map(({ name }) => [name, `${name}:dev`]));
  files = await chartFiles('1.1.0', referencesOf('1.1.0', published));
  for (const [name, content] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  // kustomize renders each component
}, 300_000);
/** Whether the programs are there; says so where not. */
function needs(...names: (keyof typeof isThere)[]): boolean {
  const missing = names.filter((name) => !isThere[name]);
  if (missing.length > 0)
    console.warn(
      `skipped: ${missing.join(' and ')} not found on PATH (or HELM, KUBECONFORM with KUBECONFORM_SCHEMAS)`,
    );
  return missing.length === 0;
}

type DeepPartial<T> = T extends object ? { [Key in keyof T]?: DeepPartial<T[Key]> } : T;

/** What helm makes of the chart. @throws Error with what helm says */
async function templated(
  values: string | DeepPartial<Values>,
  ...options: readonly string[]
): Promise<string> {
  const file = typeof values === 'string' ? join(folder, values) : join(folder, 'test-values.yaml');
  if (typeof values !== 'string') await writeFile(file, stringify(values));
  const { stdout } = await promisify(execFile)(
    programs.helm,
    ['template', 'sluice', folder, '--kube-version', '1.33.0', '--values', file, ...options],
    { maxBuffer: 10_000_000 },
  );
  return stdout;
}

/** annotations that only the chart has */
const ofChart = ['sluice.example/settings', 'helm.sh/resource-policy'];
const hasName = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);

/**
 * Objects by what they are, without what only one of the two has: hashes of names, and what stands for them in a chart.
 *
 * @param hosts of regions, by which an overlay of one's own cannot name ClusterRoles anew, in place of those of the overlay below
 */
function comparable(
  objects: readonly KubernetesObject[],
  hosts: Readonly<Record<string, string>> = {},
): Map<string, KubernetesObject> {
  const found = objects.map(withoutHashes).map((object) => {
    const text = JSON.stringify(object, (key, value: Record<string, unknown> | unknown[] | string) => {
      if (key === 'name' && typeof value === 'string')
        return value.replace(
          /^(sluice-supervisor:)(.*)$/,
          (_, head: string, host: string) => head + (hosts[host] ?? host),
        );
      // kustomize puts what is added to lists of named items first, and nothing depends on their order
      if (Array.isArray(value))
        return value.some((one) => !hasName(one)) ? value : value.filter(hasName).toSorted(byName);
      if (key !== 'annotations' || typeof value === 'string') return value;
      const rest = Object.entries(value).filter(([name]) => !ofChart.includes(name));
      return rest.length > 0 ? Object.fromEntries(rest) : undefined;
    });
    return JSON.parse(text) as KubernetesObject;
  });
  return new Map(
    found
      .map((object) => [`${object.metadata.namespace ?? ''} ${identityOf(object)}`, object] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const regions = (place: string) => globSync(`${place}/regions/*`, { cwd: manifests });
const layersOf = (place: string) => [`${place}/control-plane`, ...regions(place)];
const every = async (...folders: string[]) =>
  (await Promise.all(folders.map(rendered))).flatMap((objects) => objects ?? []);

const messages = { 'us-east-1.cloud-a.sluice.example': 'us-east-1.messages.example' };

const tls = {
  postgresql: { authority: 'postgresql-ca' },
  nats: { authority: 'nats-ca', clientCertificate: 'nats-client' },
};
const tlsComponents = ['postgresql-tls', 'nats-tls', 'nats-client-certificate'];
const components = (...names: string[]) => names.map((name) => `components/${name}`);

/** The examples show one region, and the overlay below has two. */
const regionsOfKeys = ['--set-json', 'controlPlane.keys.regions=["cloud_a/us-east-1","cloud_b/us-central1"]'];

interface Kustomization {
  values: string | DeepPartial<Values>;
  options?: readonly string[];
  objects: () => Promise<KubernetesObject[]>;
  hosts?: Readonly<Record<string, string>>;
}
const kustomizations: Record<string, Kustomization> = {
  'the overlays': {
    values: {},
    objects: () => every('overlays/cluster', 'overlays/control-plane', ...regions('overlays')),
  },
  'the example for one machine': {
    values: 'examples/one-machine.yaml',
    objects: () => every('overlays/cluster', 'examples/local/data', ...layersOf('examples/local')),
  },
  'the example behind an Ingress': {
    values: 'examples/ingress.yaml',
    options: regionsOfKeys,
    objects: () => every('overlays/cluster', ...layersOf('examples/ingress')),
    hosts: messages,
  },
  'the example behind a Gateway': {
    values: 'examples/gateway.yaml',
    options: regionsOfKeys,
    objects: () => every('overlays/cluster', ...layersOf('examples/gateway')),
    hosts: messages,
  },
  'a region in a cluster of its own, with further components': {
    values: {
      controlPlane: { enabled: false },
      images: { pullSecret: 'registry' },
      network: { nodeLocalDns: true, acmeNameServers: true },
      edge: { kind: 'none' },
      supervisor: { agentApiAuthority: 'agent-api-authority' },
      ...tls,
      regions: [
        { cloud: 'cloud_a', region: 'us-east-1', publicUrl: 'https://us-east-1.cloud-a.sluice.example' },
      ],
    },
    objects: async () => [
      ...(await every('overlays/cluster')),
      ...(await kustomized({
        namespace: 'sluice-cloud-a-us-east-1',
        resources: ['overlays/regions/cloud-a-us-east-1'],
        components: components(
          'registry',
          'node-local-dns',
          'acme',
          'edge',
          'agent-api-authority',
          ...tlsComponents,
        ),
      })),
    ],
  },
  'a control plane alone, with further components': {
    values: {
      cluster: { enabled: false },
      images: { pullSecret: 'registry' },
      network: { nodeLocalDns: true },
      controlPlane: {
        notifier: { bounces: true },
        console: {
          regionAddresses: {
            'cloud_a/us-east-1': 'http://supervisor.sluice-cloud-a-us-east-1',
            'cloud_b/us-central1': 'http://supervisor.sluice-cloud-b-us-central1',
          },
        },
        keys: { regions: ['cloud_a/us-east-1', 'cloud_b/us-central1'] },
      },
      dumps: { enabled: true, storage: '20Gi', env: { DUMPS_KEEP_DAYS: '14' } },
      regions: [],
      ...tls,
    },
    objects: () =>
      kustomized({
        namespace: 'sluice',
        resources: ['overlays/control-plane'],
        components: components(
          'dumps',
          'dumps-volume',
          'registry',
          'node-local-dns',
          'bounces',
          ...tlsComponents,
        ),
        configMapGenerator: [{ name: 'dumps', literals: ['DUMPS_KEEP_DAYS=14'] }],
      }),
  },
};

test.each(Object.entries(kustomizations))(
  'the chart makes the objects of %s',
  async (_, { values, options = [], objects, hosts }) => {
    if (!needs('helm', 'kubectl')) return;
    const wanted = comparable(await objects(), hosts);
    const made = comparable(objectsIn(await templated(values, ...options)));
    expect([...made.keys()]).toEqual([...wanted.keys()]);
    for (const [key, object] of wanted) expect({ key, ...made.get(key) }).toEqual({ key, ...object });
  },
);

const aRegion = { cloud: 'cloud_a', region: 'a', publicUrl: 'https://a.example' };

test.each<[string, DeepPartial<Values>]>([
  ['controlPlane.namespace is other', { controlPlane: { namespace: 'other' } }],
  ['controlPlane.audit.secret is other', { controlPlane: { audit: { secret: 'other' } } }],
  ["a region's namespace is other", { regions: [{ ...aRegion, namespace: 'other' }] }],
  ["a region's secret is other", { regions: [aRegion], supervisor: { secret: 'other' } }],
])('%s: refused, unless no Job of keys has to follow it', async (reason, values) => {
  if (!needs('helm', 'kubectl')) return;
  await expect(templated(values)).rejects.toThrow(`${reason}, and Jobs of keys make Secrets for `);
  expect(await templated(values, '--set', 'controlPlane.keys.enabled=false')).toContain('other');
});

test('the console is there, and main-api leads people to it, unless it is not wanted', async () => {
  if (!needs('helm', 'kubectl')) return;
  const hosts = { mainApi: { publicUrl: 'https://api.messages.example' } };
  await expect(templated({ controlPlane: hosts })).rejects.toThrow('console.publicUrl: name the host');
  const without = await templated({ controlPlane: { ...hosts, console: { enabled: false } } });
  const found = objectsIn(without).filter(({ metadata }) => metadata.name.startsWith('console'));
  expect(found).toEqual([]);
  expect(without).not.toMatch(/CONSOLE_URL|SIGN_IN_CALLBACK_URL|DEVICE_PAGE_URL/);

  const publicUrl = 'https://console.messages.example';
  const regionAddresses = { 'cloud_b/us-central1': 'https://b.example', 'cloud_c/x': 'https://c.example' };
  const made = objectsIn(
    await templated({ controlPlane: { ...hosts, console: { publicUrl, regionAddresses } } }),
  );
  const settings = (name: string) =>
    made.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)?.['data'];
  expect(settings('main-api')).toMatchObject({
    SIGN_IN_CALLBACK_URL: `${publicUrl}/sign-in/callback`,
    DEVICE_PAGE_URL: `${publicUrl}/account/device`,
  });
  expect(settings('installation')).toMatchObject({ CONSOLE_URL: publicUrl });
  expect(settings('console')).toMatchObject({
    PUBLIC_URL: publicUrl,
    REGION_ADDRESSES:
      'cloud_a/us-east-1=http://supervisor.sluice-cloud-a-us-east-1,cloud_b/us-central1=https://b.example,cloud_c/x=https://c.example',
  });
});

test('the chart is an archive of the same bytes each time, with all that a chart has and no mark left', async () => {
  if (!needs('kubectl')) return;
  const archive = await packed('sluice', files);
  expect(archive.equals(await packed('sluice', files))).toBe(true);
  const entries = extract();
  entries.end(gunzipSync(archive));
  const found = new Map<string, string>();
  for await (const entry of entries) found.set(entry.header.name, await text(entry));
  expect([...found.keys()]).toEqual([...files.keys()].map((name) => `sluice/${name}`));
  expect(parse(found.get('sluice/Chart.yaml') ?? '')).toMatchObject({
    apiVersion: 'v2',
    name: 'sluice',
    version: '1.1.0',
    kubeVersion: '>=1.33.0-0',
  });
  for (const [name, content] of found)
    expect({ name, marks: Object.values(marks).filter((mark) => content.includes(mark)) }).toEqual({
      name,
      marks: [],
    });
  const schema = JSON.parse(found.get('sluice/values.schema.json') ?? '') as object;
  const isValid = new Ajv({ allErrors: true }).compile(schema);
  expect(isValid(parse(found.get('sluice/values.yaml') ?? '')) || isValid.errors).toBe(true);
});

test('install.yaml has valid objects, and all images by digest', async () => {
  if (!needs('kubectl')) return;
  const published = Object.fromEntries(
    imageNames.map(({ name }) => [name, `registry.example/${name}@${digest}`]),
  );
  const content = await installation('1.1.0', referencesOf('1.1.0', published));
  const objects = objectsIn(content);
  expect(objects.length).toBeGreaterThan(80);
  expect(objects.flatMap(faultsOf)).toEqual([]);
  const images = [...content.matchAll(/(?:image|NODE_IMAGE): (\S*sluice\/\S+)/g)].map(([, image]) => image);
  expect([...new Set(images)].sort()).toEqual(Object.values(published).sort());
});

test('helm lint and kubeconform find no fault', async () => {
  if (!needs('kubectl', 'helm', 'kubeconform')) return;
  const lint = await promisify(execFile)(programs.helm, ['lint', '--strict', folder]);
  expect(lint.stdout).toContain('0 chart(s) failed');
  for (const values of [{}, 'examples/one-machine.yaml', 'examples/gateway.yaml']) {
    const file = join(folder, 'made.yaml');
    await writeFile(file, await templated(values));
    const options = ['-strict', '-summary', '-ignore-missing-schemas', '-schema-location', schemas ?? ''];
    const { stdout } = await promisify(execFile)(programs.kubeconform, [...options, file]);
    expect(stdout).toMatch(/Valid: [1-9]\d+, Invalid: 0, Errors: 0/);
  }
});
