import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stringify } from 'yaml';
import { manifests, rendered, type KubernetesObject } from '../kubernetes/objects.ts';

/** Where values go is what kustomize itself does with these texts in their place. */
export const marks = {
  namespace: 'chart-namespace',
  tag: 'chart-tag',
  ingressClass: 'chart-ingress-class',
  gateway: 'chart-gateway',
  gatewayNamespace: 'chart-outer-namespace',
  issuer: 'chart-issuer',
  issuerKind: 'chart-kind',
  runbooks: 'chart-runbooks',
  mainApiHost: 'chart-main-api',
  auditHost: 'chart-audit',
  consoleHost: 'chart-console',
  regionHost: 'chart-region-host',
  cloud: 'chart-cloud',
  region: 'chart-region-key',
  pullSecret: 'chart-pull-secret',
  authority: 'chart-authority',
  postgresqlAuthority: 'chart-postgresql-authority',
  natsAuthority: 'chart-nats-authority',
  natsClient: 'chart-nats-client',
} as const;

const platform = {
  INGRESS_CLASS: marks.ingressClass,
  GATEWAY: marks.gateway,
  GATEWAY_NAMESPACE: marks.gatewayNamespace,
  ISSUER: marks.issuer,
  ISSUER_KIND: marks.issuerKind,
  RUNBOOKS: marks.runbooks,
};
const ofLayer = {
  'control-plane': {
    platform,
    'main-api': { PUBLIC_URL: `https://${marks.mainApiHost}` },
    audit: { PUBLIC_URL: `https://${marks.auditHost}` },
    console: { PUBLIC_URL: `https://${marks.consoleHost}` },
  },
  region: {
    platform,
    region: { PUBLIC_URL: `https://${marks.regionHost}`, CLOUD: marks.cloud, REGION: marks.region },
  },
};
const overlays = { 'control-plane': 'overlays/control-plane', region: 'overlays/regions/cloud-a-us-east-1' };
export type Layer = keyof typeof overlays;

/** The objects of a layer with these components and with marks. @throws Error without kubectl, or what kustomize says */
export async function withMarks(layer: Layer, ...components: string[]): Promise<KubernetesObject[]> {
  const objects = await kustomized({
    namespace: marks.namespace,
    resources: [overlays[layer]],
    components: [`ingress/${layer}`, ...components].map((name) => `components/${name}`),
    images: ['main-api', 'audit', 'notifier', 'console', 'supervisor', 'admin'].map((name) => ({
      name: `sluice/${name}`,
      newTag: marks.tag,
    })),
    configMapGenerator: [
      ...Object.entries(ofLayer[layer]).map(([name, settings]) => ({
        name,
        behavior: 'merge',
        literals: Object.entries(settings).map((setting) => setting.join('=')),
      })),
      // an overlay with dumps makes it
      ...(components.includes('dumps') ? [{ name: 'dumps', literals: [] }] : []),
    ],
  });
  return objects.map((object) => revived(withoutHashes(object), secretMark));
}

/** Names of Secrets and ConfigMaps that components have as they are. */
const fixedNames: Readonly<Record<string, string>> = {
  registry: marks.pullSecret,
  'agent-api-authority': marks.authority,
  'postgresql-ca': marks.postgresqlAuthority,
  'nats-ca': marks.natsAuthority,
  'nats-client': marks.natsClient,
};
function secretMark(key: string, value: unknown): unknown {
  if (key === 'imagePullSecrets') return [{ name: marks.pullSecret }];
  if (key === 'secretName' && typeof value === 'string') return fixedNames[value] ?? value;
  if (key === 'configMap' && typeof value === 'object' && value !== null && 'name' in value)
    return { ...value, name: fixedNames[String(value.name)] ?? value.name };
  return value;
}

const revived = (object: KubernetesObject, revive: (key: string, value: unknown) => unknown) =>
  JSON.parse(JSON.stringify(object), revive) as KubernetesObject;

interface Kustomization {
  namespace?: string;
  /** folders below `k8s`, as components are */
  resources: string[];
  components?: string[];
  images?: { name: string; newName?: string; newTag?: string; digest?: string }[];
  configMapGenerator?: { name: string; behavior?: string; literals: string[] }[];
}

/** What kustomize makes of a kustomization of one's own. @throws Error without kubectl, or what kustomize says */
export async function kustomized({
  resources,
  components = [],
  ...rest
}: Kustomization): Promise<KubernetesObject[]> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'sluice-chart-'));
  const below = (names: string[]) => names.map((name) => relative(folder, join(manifests, name)));
  try {
    const kustomization = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: below(resources),
      components: below(components),
      ...rest,
    };
    await writeFile(join(folder, 'kustomization.yaml'), stringify(kustomization));
    const objects = await rendered(relative(manifests, folder));
    if (!objects) throw new Error('kubectl is not on PATH: the chart is made by its kustomize.');
    return objects;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const hashed =
  /^(installation|main-api|audit|notifier|console|region|keys|dumps|nats|postgresql)-[0-9a-z]{10}$/;

/** ConfigMaps have one name in a chart: a checksum on the pods has them replaced. */
export const withoutHashes = (object: KubernetesObject): KubernetesObject =>
  revived(object, (key, value) => (key === 'name' ? withoutHash(value) : value));
const withoutHash = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(hashed, '$1') : value;
