import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { parseAddress, parseBlock } from '@sluice/system';
import { metadataBlocks } from '@sluice/system/destinations';
import { testFolder } from '@sluice/testing';
import { parse } from 'yaml';
import { z } from 'zod';
import { settingNames } from '../generated/setting-names.ts';
import { images } from '../images/images.ts';
import { repository } from '../settings.ts';
import { documentedImages } from './documented-images.ts';
import { manifests, objectsByFile, objectsIn, rendered, services, type KubernetesObject } from './objects.ts';
import { lacksOf, podOf, type Pod } from './pods.ts';
import { faultsOf } from './schema.ts';

const folders = [
  'overlays/cluster',
  'overlays/control-plane',
  ...globSync('overlays/regions/*', { cwd: manifests }),
  'examples/data',
  'examples/edge',
  ...globSync('examples/local/{cluster,control-plane,data,data-tls,regions/*}', { cwd: manifests }),
  ...globSync('examples/{production,ingress,gateway}/{control-plane,regions/*}', { cwd: manifests }),
  'examples/production/data',
  'examples/cloudnative-pg',
];

let files: Map<string, KubernetesObject[]>;
beforeAll(async () => {
  files = await objectsByFile();
});
const every = <Found>(find: (object: KubernetesObject, file: string) => readonly Found[]) =>
  [...files].flatMap(([file, objects]) => objects.flatMap((object) => find(object, file)));

test('every object is one that Kubernetes knows, field by field', () => {
  expect(files.size).toBeGreaterThan(20);
  expect(every((object, file) => faultsOf(object).map((fault) => `${file}: ${fault}`))).toEqual([]);
});

test.each([
  ['spec: { replica: 2 }', '.spec.replica is not known'],
  ['spec: { replicas: two }', '.spec.replicas is not a number'],
  [
    'spec: { template: { spec: { containers: { name: a } } } }',
    '.spec.template.spec.containers is not a list',
  ],
  ['spec: { selector: { matchLabels: { a: 1 } } }', '.spec.selector.matchLabels.a is not a string'],
])('a mistake is found: %s', (text, fault) => {
  const [object] = objectsIn(`{ apiVersion: apps/v1, kind: Deployment, metadata: { name: a }, ${text} }`);
  expect(object && faultsOf(object)).toEqual([`Deployment a${fault}`]);
});

test.each([
  ['monitoring.coreos.com/v1', 'PodMonitor', 'spec: { jobLable: a }', 'spec: Unrecognized key: "jobLable"'],
  ['gateway.networking.k8s.io/v1', 'HTTPRoute', 'spec: { hostnames: a }', 'spec.hostnames: Invalid input'],
  ['cert-manager.io/v1', 'Certificate', 'spec: { dnsNames: [] }', 'spec.dnsNames: Too small'],
  [
    'monitoring.coreos.com/v1',
    'PrometheusRule',
    'spec: { groups: [{ name: a, rules: [{ alert: SluiceA, expr: "sum(rate(a[5m)]) > 0", labels: {}, annotations: {} }] }] }',
    'spec.groups.0.rules.0.expr: has brackets or quotes that do not match',
  ],
])('a mistake in an object of %s is found: %s', (apiVersion, kind, text, fault) => {
  const [object] = objectsIn(`{ apiVersion: ${apiVersion}, kind: ${kind}, metadata: { name: a }, ${text} }`);
  expect(object && faultsOf(object)).toContainEqual(expect.stringContaining(`${kind} a.${fault}`));
});

test('every pod fits the profile restricted, is watched, and says what it needs', () => {
  const pods = every((object) => [podOf(object) ?? []].flat());
  expect(pods.length).toBeGreaterThanOrEqual(5);
  const lacks = every((object, file) => {
    const pod = podOf(object);
    return pod ? lacksOf(pod).map((lack) => `${file}: ${lack}`) : [];
  });
  expect(lacks).toEqual([]);
});

test('a pod that lacks something is found', async () => {
  const text = await readFile(join(manifests, 'base/audit/deployment.yaml'), 'utf8');
  for (const [what, instead, lack] of [
    ['runAsNonRoot: true', 'runAsNonRoot: false', 'runs as more than an ordinary user'],
    ['[ALL]', '[NET_RAW]', 'audit has privileges'],
    ['readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false', 'audit has privileges'],
    ['sluice/audit:dev', 'sluice/audit', 'audit has no version: sluice/audit'],
    ['livenessProbe', 'lifecycle', 'audit has no livenessProbe'],
    ['enableServiceLinks: false', '', 'has variables of all services'],
  ] as const) {
    const [pod] = objectsIn(text.replace(what, instead)).map(podOf);
    expect(pod && lacksOf(pod)).toEqual([lack]);
  }
});

test('namespaces enforce the profile restricted, and allow no connection that no policy names', () => {
  const namespaces = every((object, file) => (object.kind === 'Namespace' ? [{ object, file }] : []));
  expect(namespaces.length).toBe(3);
  for (const { object, file } of namespaces) {
    expect(object.metadata).toMatchObject({ labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } });
    const beside = every((one, other) => (other.split('/')[1] === file.split('/')[1] ? [one] : []));
    expect(beside).toContainEqual(
      expect.objectContaining({
        kind: 'NetworkPolicy',
        spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
      }),
    );
  }
});

describe.each(services)('%s', (service) => {
  const objects = () => every((object, file) => (file.startsWith(`base/${service}/`) ? [object] : []));
  const find = (kind: string) => objects().filter((object) => object.kind === kind);
  const pod = () => objects().flatMap((object) => podOf(object) ?? [])[0] as Pod;
  const container = () => {
    const [only] = pod().containers;
    if (!only) throw new Error('the pod has no container');
    return only;
  };

  test('can lose a machine, and is replaced without a gap', () => {
    const [deployment] = find('Deployment');
    expect(deployment).toMatchObject({
      spec: { strategy: { rollingUpdate: { maxUnavailable: 0 } }, minReadySeconds: 5 },
    });
    expect(pod()['topologySpreadConstraints']).toMatchObject([
      { topologyKey: 'topology.kubernetes.io/zone' },
      { topologyKey: 'kubernetes.io/hostname' },
    ]);
    expect(find('PodDisruptionBudget')).toMatchObject([
      { spec: { maxUnavailable: 1, selector: { matchLabels: { 'app.kubernetes.io/name': service } } } },
    ]);
    const [autoscaler] = find('HorizontalPodAutoscaler');
    const least = autoscaler ?? deployment;
    expect(least).toMatchObject({ spec: { [autoscaler ? 'minReplicas' : 'replicas']: 2 } });
    // who applies the manifests again does not undo what the autoscaler has decided
    expect('replicas' in (deployment!['spec'] as object)).toBe(!autoscaler);
  });

  test('has time to end: longer than it waits for callers to go elsewhere and for requests in flight', () => {
    const delay = Number(container().env.find(({ name }) => name === 'SHUTDOWN_DELAY_SECONDS')?.value);
    expect(delay).toBeGreaterThan(0);
    // SHUTDOWN_GRACE_SECONDS is 10 by default
    expect(pod()['terminationGracePeriodSeconds']).toBeGreaterThan(delay + 10 + 10);
  });

  test('is given settings that it reads, its secrets as files, and a token of the cluster only where it uses one', () => {
    const known: readonly string[] = settingNames[service];
    const names = container().env.map(({ name }) => name);
    const settings = names.map((name) => (known.includes(name) ? name : name.replace(/_FILE$/, '')));
    expect(settings.filter((name) => !known.includes(name))).toEqual([]);
    const secret = [
      'DATABASE_URL',
      'DATABASE_WRITER_URL',
      'NATS_NKEY_SEED',
      'SIGNING_KEYS',
      'TRUSTED_KEYS',
      'SECRETS_KEYS',
      'MAIL_KEYS',
      'PROTECTION_KEY',
      'SMTP_URL',
    ];
    const expected = secret.filter((name) => known.includes(name));
    expect(
      container()
        .env.filter(({ value }) => value?.startsWith('/etc/sluice/secrets/'))
        .sort(),
    ).toEqual(
      expected.map((name) => ({ name: `${name}_FILE`, value: `/etc/sluice/secrets/${name}` })).sort(),
    );
    expect(names.filter((name) => secret.includes(name))).toEqual([]);
    // the console has no database, speaks with no NATS and signs nothing
    const volumes =
      service === 'console'
        ? []
        : [expect.objectContaining({ secret: expect.objectContaining({ secretName: service }) as object })];
    expect(pod().volumes.filter((volume) => 'secret' in volume)).toEqual(volumes);
    expect(pod().automountServiceAccountToken).toBe(service === 'supervisor');
  });
});

test('the pods of all services differ in nothing that they could have in common', () => {
  const common = services.map((service) => {
    const [pod] = every((object, file) => {
      const found = file.startsWith(`base/${service}/`) ? podOf(object) : undefined;
      return found ? [found] : [];
    });
    const { startupProbe, livenessProbe, readinessProbe, securityContext } = pod?.containers[0] ?? {};
    const { httpGet, ...ready } = z
      .looseObject({ httpGet: z.object({ path: z.string() }) })
      .parse(readinessProbe);
    return {
      startupProbe,
      livenessProbe,
      // each leaves out what all replicas lack at the same time
      readinessProbe: { ...ready, path: httpGet.path.replace('=main_api', '=consumers') },
      securityContext,
      pod: pod?.securityContext,
      end: pod?.['terminationGracePeriodSeconds'],
    };
  });
  for (const one of common) expect(one).toEqual(common[0]);
});

test('the admin pod has what sluice-admin reads as files, and no token of the cluster', async () => {
  const [pod] = every((object, file) => (file.startsWith('base/admin/') ? [podOf(object) ?? []].flat() : []));
  expect(pod?.automountServiceAccountToken).toBe(false);
  expect(pod?.volumes[0]).toMatchObject({ secret: { secretName: 'admin' } });
  expect(pod?.containers[0]?.env).toEqual([
    { name: 'NATS_NKEY_SEED_FILE', value: '/etc/sluice/secrets/NATS_NKEY_SEED' },
    { name: 'DATABASE_URLS_DIR', value: '/etc/sluice/secrets' },
  ]);
  const control = await rendered('overlays/control-plane');
  if (!control) return console.warn('the control plane is not looked at: there is no kubectl on PATH');
  const names = control.flatMap(({ kind, metadata: { name } }) => (kind === 'Deployment' ? [name] : []));
  expect(names.sort()).toEqual(['admin', 'audit', 'console', 'main-api', 'notifier']);
});

test('the admin pod reaches PostgreSQL, NATS and DNS, and nothing reaches it', () => {
  const selectorSchema = z.strictObject({
    matchLabels: z.record(z.string(), z.string()).default({}),
    matchExpressions: z
      .array(z.object({ key: z.string(), operator: z.literal('NotIn'), values: z.array(z.string()) }))
      .default([]),
  });
  const schema = z.object({
    spec: z.object({
      podSelector: selectorSchema,
      ingress: z.array(z.unknown()).default([]),
      egress: z.array(z.object({ ports: z.array(z.object({ port: z.number() })) })).default([]),
    }),
  });
  const labels: Record<string, string> = {
    'app.kubernetes.io/name': 'admin',
    'app.kubernetes.io/part-of': 'sluice',
  };
  const policies = every((object, file) => {
    if (object.kind !== 'NetworkPolicy' || !/^base\/(namespace|admin)\//.test(file)) return [];
    const { podSelector, ...rules } = schema.parse(object).spec;
    const isSelected =
      Object.entries(podSelector.matchLabels).every(([key, value]) => labels[key] === value) &&
      podSelector.matchExpressions.every(({ key, values }) => !values.includes(labels[key] ?? ''));
    return isSelected ? [rules] : [];
  });
  expect(policies.length).toBeGreaterThanOrEqual(3);
  expect(policies.flatMap(({ ingress }) => ingress)).toEqual([]);
  const ports = policies.flatMap(({ egress }) =>
    egress.flatMap((rule) => rule.ports.map(({ port }) => port)),
  );
  expect(new Set(ports)).toEqual(new Set([53, 4222, 5432]));
});

test('no rights go further than they are named', () => {
  const wild = every(({ kind, ...object }, file) =>
    /Role$/.test(kind) && JSON.stringify(object['rules']).includes('"*"') ? [file] : [],
  );
  expect(wild).toEqual([]);
});

const policySchema = z.object({
  spec: z.object({
    egress: z
      .array(
        z.object({
          to: z
            .array(
              z.looseObject({
                ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()).default([]) }).optional(),
              }),
            )
            .default([]),
          ports: z.array(z.object({ port: z.union([z.number(), z.string()]) })).default([]),
        }),
      )
      .default([]),
  }),
});
const egressOf = (wanted: (file: string) => boolean) =>
  every((object, file) => {
    if (object.kind !== 'NetworkPolicy' || !wanted(file)) return [];
    return policySchema.parse(object).spec.egress.map((rule) => ({ file, ...rule }));
  });

test('roles name objects as they are called: kustomize has appended no hash of a ConfigMap', () => {
  const hashed = every((object, file) =>
    /Role$/.test(object.kind) && /-[0-9a-z]{10}"/.test(JSON.stringify(object['rules'])) ? [file] : [],
  );
  expect(hashed).toEqual([]);
});

test('no pod is let out without a destination, and to port 53 only of the DNS servers of the cluster', () => {
  const rules = egressOf(() => true);
  expect(rules.length).toBeGreaterThan(8);
  expect(rules.filter(({ to }) => to.length === 0)).toEqual([]);
  const names = rules.filter(({ ports }) => ports.some(({ port }) => port === 53));
  // what an operator takes in for other servers
  const others = ['components/acme/network-policy.yaml', 'components/node-local-dns/network-policy.yaml'];
  expect(names.map(({ file }) => file)).toEqual(expect.arrayContaining(others));
  for (const { file, to } of names.filter((rule) => !others.includes(rule.file)))
    expect([file, to]).toEqual([
      file,
      [
        {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
          podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
        },
      ],
    ]);
});

/** Addresses of the blocks that lead to where machines get their identity from. */
const metadata = ['169.254.169.254', ...metadataBlocks.map((block) => block.replace(/\/.*/, ''))];
const privateAddresses = ['10.96.0.1', '100.64.0.1', '127.0.0.1', '172.16.0.25', '192.168.0.25', 'fd00::1'];

test.each([
  ['base/main-api', [...metadata, ...privateAddresses]],
  ['base/audit', [...metadata, ...privateAddresses]],
  // layers of this cluster are pods
  ['base/console', [...metadata, ...privateAddresses]],
  // mail servers are no exception
  ['base/notifier', [...metadata, ...privateAddresses]],
  ['components/acme', [...metadata, ...privateAddresses]],
  // the API server has a private address
  ['base/supervisor', metadata],
])('%s is let out to the internet, and to nothing else that a customer could name', (folder, refused) => {
  const blocks = egressOf((file) => file.startsWith(`${folder}/`)).flatMap(({ to }) =>
    to.flatMap(({ ipBlock }) => ipBlock ?? []),
  );
  const reaches = (text: string) => {
    const isIn = (block: string) => parseBlock(block).contains(parseAddress(text)!);
    return blocks.some(({ cidr, except }) => isIn(cidr) && !except.some(isIn));
  };
  expect(reaches('203.0.113.1')).toBe(true);
  expect(refused.filter(reaches)).toEqual([]);
});

test('what an ingress leads to leaves out what is for the operator', () => {
  const ingresses = every((object) => (object.kind === 'Ingress' ? [object] : []));
  expect(ingresses).toHaveLength(4);
  const nowhere = { service: { name: 'nowhere', port: { name: 'http' } } };
  for (const ingress of ingresses)
    for (const path of ['/metrics', '/readyz'])
      expect(ingress).toMatchObject({
        spec: {
          rules: [
            {
              http: { paths: expect.arrayContaining([{ path, pathType: 'Exact', backend: nowhere }]) as [] },
            },
          ],
        },
      });
  const [service] = every(({ kind, metadata: { name }, ...rest }) =>
    kind === 'Service' && name === 'nowhere' ? [rest] : [],
  );
  expect(service).not.toHaveProperty('spec.selector');
});

test('what supervisors may make of namespaces, bindings and Services is decided at admission', () => {
  const [policy] = every((object) => (object.kind === 'ValidatingAdmissionPolicy' ? [object] : []));
  const { spec } = z
    .object({
      spec: z.object({
        failurePolicy: z.string(),
        matchConstraints: z.object({
          resourceRules: z.array(
            z.object({ resources: z.array(z.string()), operations: z.array(z.string()) }),
          ),
        }),
        validations: z.array(z.object({ expression: z.string() })),
      }),
    })
    .parse(policy);
  expect(spec.failurePolicy).toBe('Fail');
  const rules = spec.matchConstraints.resourceRules;
  expect(rules.flatMap(({ resources }) => resources)).toEqual(['namespaces', 'services', 'rolebindings']);
  for (const { operations } of rules)
    expect(operations).toEqual(expect.arrayContaining(['CREATE', 'UPDATE']));
  const all = spec.validations.map(({ expression }) => expression).join('\n');
  for (const part of [
    'labels[?"pod-security.kubernetes.io/enforce"].orValue("") == "restricted"',
    'labels[?"pod-security.kubernetes.io/enforce-version"].orValue("latest") == "latest"',
    'object.roleRef.name == "sluice-nodes"',
    'object.spec.?externalIPs.orValue([]).size() == 0',
  ])
    expect(all).toContain(part);
});

test('agents of the production example call the edge by a name that it has, and trust its authority', async () => {
  const edge = await rendered('examples/edge');
  if (!edge) return console.warn('the edge is not looked at: there is no kubectl on PATH');
  const configuration = JSON.stringify(edge.find(({ kind }) => kind === 'ConfigMap'));
  for (const folder of globSync('examples/production/regions/*', { cwd: manifests })) {
    const objects = (await rendered(folder)) ?? [];
    const [pod] = objects.flatMap((object) => podOf(object) ?? []);
    const data = objects.flatMap((one) =>
      one.kind === 'ConfigMap' ? [one['data'] as Record<string, string>] : [],
    );
    const url = data.flatMap(({ AGENT_API_URL }) => AGENT_API_URL ?? [])[0] ?? '';
    const [, name] = /^https:\/\/([a-z0-9-]+)\.sluice-edge\.svc$/.exec(url) ?? [];
    expect(edge).toContainEqual(
      expect.objectContaining({ kind: 'Service', metadata: expect.objectContaining({ name }) as object }),
    );
    expect(configuration).toContain(`${name}.sluice-edge.svc`);
    expect(pod?.containers[0]?.env).toContainEqual({
      name: 'AGENT_API_AUTHORITY_FILE',
      value: '/etc/sluice/authority/ca.crt',
    });
    expect(objects.filter(({ kind }) => kind === 'Ingress')).toEqual([]);
  }
});

test('a region is removed without what others need: no two regions share an object', async () => {
  const regions = folders.filter((folder) => folder.startsWith('overlays/regions/'));
  expect(regions.length).toBeGreaterThanOrEqual(2);
  const found = await Promise.all([...regions, 'overlays/cluster'].map(rendered));
  const names = found.map((objects) =>
    objects?.map(({ kind, metadata: { namespace, name } }) => `${kind} ${namespace ?? ''}/${name}`),
  );
  if (names.includes(undefined)) return console.warn('regions are not compared: there is no kubectl on PATH');
  const all = names.flatMap((list) => list ?? []);
  expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
  expect(names.at(-1)).toEqual(
    expect.arrayContaining(['ClusterRole /sluice-nodes', 'ValidatingAdmissionPolicy /sluice-supervisors']),
  );
});

test('a supervisor changes and removes by the role of nodes alone, which it has in the namespaces of deployments', async () => {
  const rolesOf = (file: string) =>
    (files.get(file) ?? []).flatMap(({ kind, ...object }) => (kind === 'ClusterRole' ? [object] : []));
  const [role] = rolesOf('base/supervisor/rbac.yaml');
  const schema = z.object({
    rules: z.array(z.object({ resources: z.array(z.string()), verbs: z.array(z.string()) })),
  });
  const { rules } = schema.parse(role);
  const changing = rules.filter(({ verbs }) => verbs.some((verb) => !/^(get|list|watch)$/.test(verb)));
  expect(changing).toEqual([
    { resources: ['namespaces'], verbs: ['get', 'list', 'watch', 'create'] },
    { resources: ['rolebindings'], verbs: ['get', 'list', 'watch', 'create'] },
    { resources: ['clusterroles'], verbs: ['bind'] },
  ]);
  expect(rolesOf('overlays/cluster/nodes-role.yaml')).toHaveLength(1);
});

test('a region is an overlay of less than 30 lines', async () => {
  const regions = globSync('overlays/regions/*/**', { cwd: manifests, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(regions.length).toBeGreaterThanOrEqual(2);
  for (const { parentPath, name } of regions) {
    expect(name).toBe('kustomization.yaml');
    expect((await readFile(join(parentPath, name), 'utf8')).split('\n').length).toBeLessThan(30);
  }
});

test('images have their registry in one place, and the list for air-gapped installations names all', async () => {
  const text = await readFile(join(repository, 'docs/operations/kubernetes.md'), 'utf8');
  const documented = documentedImages(text);
  const installation = z
    .object({
      images: z.array(z.object({ name: z.string(), newTag: z.string() })),
      configMapGenerator: z.array(z.object({ literals: z.array(z.string()) })),
    })
    .parse(parse(await readFile(join(manifests, 'components/installation/kustomization.yaml'), 'utf8')));
  const found = every((object, file) =>
    [podOf(object) ?? []]
      .flat()
      .flatMap(({ initContainers, containers }) =>
        [...initContainers, ...containers].map(({ image }) => ({ file, image })),
      ),
  );
  const named = (image: string) => (image.startsWith('sluice/') ? image.replace(/:.*/, '') : image);
  const ofServices = found.flatMap(({ file, image }) => (file.startsWith('base/') ? [named(image)] : []));
  expect(new Set(installation.images.map(({ name }) => name))).toEqual(new Set(ofServices));
  const ofNodes = installation.configMapGenerator
    .flatMap(({ literals }) => literals)
    .flatMap((literal) => /^NODE_IMAGE=(.*)$/.exec(literal)?.[1] ?? []);
  expect(ofNodes).toHaveLength(1);
  const all = new Set([...found.map(({ image }) => image), ...ofNodes].map(named));
  expect(documented.toSorted()).toEqual([...all].toSorted());
  const built = images.map(({ name }) => `sluice/${name}`);
  expect(documented.filter((name) => name.startsWith('sluice/') && !built.includes(name))).toEqual([]);
});

test('an overlay with a private registry gives all pods its credentials, and supervisors those for nodes', async () => {
  // kustomize knows no absolute paths
  const folder = relative(manifests, await testFolder());
  const path = (name: string) => relative(join(manifests, folder), join(manifests, name));
  for (const overlay of ['overlays/control-plane', 'overlays/regions/cloud-a-us-east-1']) {
    const kustomization = { resources: [path(overlay)], components: [path('components/registry')] };
    await writeFile(join(manifests, folder, 'kustomization.yaml'), JSON.stringify(kustomization));
    const objects = await rendered(folder);
    if (!objects) return console.warn('the registry is not looked at: there is no kubectl on PATH');
    expect(objects.flatMap(faultsOf)).toEqual([]);
    const pods = objects.flatMap((object) => podOf(object) ?? []);
    expect(pods.length).toBeGreaterThan(0);
    for (const pod of pods) {
      expect(lacksOf(pod)).toEqual([]);
      expect(pod['imagePullSecrets']).toEqual([{ name: 'registry' }]);
      for (const { name, env, volumeMounts } of pod.containers) {
        const file = env.find((one) => one.name === 'KUBERNETES_PULL_CREDENTIALS_FILE')?.value;
        expect(file !== undefined).toBe(name === 'supervisor');
        const mount = volumeMounts.find(({ mountPath }) => file?.startsWith(`${mountPath}/`));
        if (file === undefined) continue;
        expect(pod.volumes.find((volume) => volume.name === mount?.name)).toMatchObject({
          secret: { secretName: 'registry', items: [{ key: '.dockerconfigjson', path: basename(file) }] },
        });
      }
    }
  }
});

test('the catalogue that is deployed is the one of the repository', async () => {
  const read = async (file: string) => parse(await readFile(file, 'utf8')) as unknown;
  for (const folder of ['overlays/control-plane', 'examples/local/control-plane'])
    expect(await read(join(manifests, folder, 'catalogue.yaml'))).toEqual(
      await read(join(repository, 'infra/catalogue.yaml')),
    );
});

test.each(folders)(
  '%s: kustomize makes of it what the API takes, and what is referred to is there',
  async (folder) => {
    const objects = await rendered(folder);
    if (!objects) return console.warn('kustomize is not looked at: there is no kubectl on PATH');
    expect(objects.flatMap(faultsOf)).toEqual([]);
    expect(objects.flatMap((object) => podOf(object) ?? []).flatMap(lacksOf)).toEqual([]);
    const namespaces = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
    expect(objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name)).toEqual([
      ...namespaces,
    ]);
    const maps = objects.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name);
    for (const pod of objects.flatMap((object) => podOf(object) ?? [])) {
      const wanted = [
        ...pod.containers.flatMap(({ envFrom }) =>
          envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? []),
        ),
        ...pod.volumes.flatMap((volume) => ('configMap' in volume ? [volume.configMap.name] : [])),
      ];
      // what is given to the namespace beside its overlay: authorities, and what to restore
      const given = ['postgresql-ca', 'nats-ca', 'restore'];
      expect(maps).toEqual(expect.arrayContaining(wanted.filter((map) => !given.includes(map))));
    }
    // every name that is to be replaced has been
    expect(JSON.stringify(objects)).not.toMatch(/replaced\.example|:region"/);
  },
);
