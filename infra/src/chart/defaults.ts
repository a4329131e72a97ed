import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { manifests, objectsIn, rendered, type KubernetesObject } from '../kubernetes/objects.ts';
import { withoutHashes } from './bases.ts';
import { envOf } from './config.ts';
import { at, listAt, textsAt } from './fields.ts';
import { imageNames, type Reference } from './images.ts';
import { valuesSchema, type Values } from './values.ts';

/** The values that make the chart what the overlays are. */
export async function defaultValues(references: ReadonlyMap<string, Reference>): Promise<Values> {
  const controlPlane = await overlay('overlays/control-plane');
  const folders = globSync('overlays/regions/*', { cwd: manifests }).sort();
  const regions = await Promise.all(folders.map(overlay));
  const data = await overlay('examples/data');
  const platform = await platformSettings();
  const [firstRegion] = regions;
  if (!firstRegion) throw new Error('There is no overlay of a region.');
  const installation = controlPlane.settings('installation');
  const policy = at(controlPlane.find('NetworkPolicy', 'data'), 'spec', 'egress', 0);
  const withRoute = (service: 'main-api' | 'audit' | 'console') => ({
    ...controlPlane.service(service),
    publicUrl: controlPlane.settings(service)['PUBLIC_URL'],
    tlsSecret: at(controlPlane.find('Ingress', service), 'spec', 'tls', 0, 'secretName'),
  });
  const registries = [...references.values()].map(({ registry }) => registry);
  const keys = controlPlane.settings('keys');
  const [nightly] = await dumps();
  const server = (name: string) => {
    const container = at(data.find('StatefulSet', name), 'spec', 'template', 'spec', 'containers', 0);
    return { image: at(container, 'image'), resources: at(container, 'resources') };
  };
  const claim = at(data.find('StatefulSet', 'postgresql'), 'spec', 'volumeClaimTemplates', 0);
  const input = {
    images: {
      registry: registries[0] ?? '',
      ...Object.fromEntries(
        imageNames.map(({ key, name }) => {
          const { tag, digest } = references.get(name) ?? { tag: '', digest: '' };
          return [key, { name, tag, digest }];
        }),
      ),
    },
    domain: installation['BASE_DOMAIN'],
    nats: { url: installation['NATS_URL'] },
    trustedProxies: installation['TRUSTED_PROXIES'],
    env: envOf('installation', installation),
    controlPlane: {
      mainApi: withRoute('main-api'),
      audit: withRoute('audit'),
      notifier: controlPlane.service('notifier'),
      console: withRoute('console'),
      admin: {
        resources: controlPlane.service('admin').resources,
        secret: controlPlane.service('admin').secret,
      },
      keys: {
        resources: resourcesOf(controlPlane.find('CronJob', 'keys')),
        postgresql: keys['POSTGRESQL'],
        dataNamespace: keys['DATA_NAMESPACE'],
      },
    },
    supervisor: {
      ...firstRegion.service('supervisor'),
      env: envOf('region', firstRegion.settings('region')),
      tlsSecret: at(firstRegion.find('Ingress', 'supervisor'), 'spec', 'tls', 0, 'secretName'),
    },
    regions: regions.map(({ settings }) => {
      const { CLOUD: cloud = '', REGION: region = '', PUBLIC_URL: publicUrl = '' } = settings('region');
      return { cloud, region, publicUrl };
    }),
    edge: {
      ingress: { className: platform['INGRESS_CLASS'] },
      gateway: { name: platform['GATEWAY'], namespace: platform['GATEWAY_NAMESPACE'] },
      certificates: { kind: platform['ISSUER_KIND'] },
      nodePorts: { mainApi: 30_080, audit: 30_081, console: 30_090 },
    },
    network: {
      data: {
        cidrs: listAt(policy, 'to').map((one) => at(one, 'ipBlock', 'cidr')),
        ports: listAt(policy, 'ports').map((one) => at(one, 'port')),
      },
    },
    monitoring: { runbooks: platform['RUNBOOKS'] },
    dumps: {
      schedule: at(nightly, 'spec', 'schedule'),
      resources: resourcesOf(nightly),
    },
    data: {
      postgresql: { ...server('postgresql'), storage: at(claim, 'spec', 'resources', 'requests', 'storage') },
      nats: server('nats'),
    },
  };
  // regions have what they say themselves: the rest is that of `supervisor`
  return { ...valuesSchema.parse(input), regions: input.regions };
}

/** Of the pod of a CronJob. */
const resourcesOf = (object: unknown) =>
  at(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers', 0, 'resources');

const dumps = async () =>
  objectsIn(await readFile(join(manifests, 'components/dumps/cron-jobs.yaml'), 'utf8')).filter(
    ({ kind }) => kind === 'CronJob',
  );

/** What kustomize makes of a folder, as values of the chart. */
async function overlay(folder: string) {
  const objects: KubernetesObject[] = ((await rendered(folder)) ?? []).map(withoutHashes);
  const find = (kind: string, name: string) => {
    const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
    if (!found) throw new Error(`${folder} has no ${kind} ${name}`);
    return found;
  };
  const settings = (name: string) => textsAt(find('ConfigMap', name), 'data');
  return {
    find,
    settings,
    /** of a Deployment and its autoscaler */
    service(name: string) {
      const deployment = find('Deployment', name);
      const autoscaler = objects.find(
        ({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === name,
      );
      const pod = at(deployment, 'spec', 'template', 'spec');
      const secrets = listAt(pod, 'volumes').find((volume) => at(volume, 'name') === 'secrets');
      return {
        replicas: autoscaler
          ? { min: at(autoscaler, 'spec', 'minReplicas'), max: at(autoscaler, 'spec', 'maxReplicas') }
          : at(deployment, 'spec', 'replicas'),
        resources: at(pod, 'containers', 0, 'resources'),
        // the console has no database, and signs nothing
        ...(secrets !== undefined && { secret: at(secrets, 'secret', 'secretName') }),
        env: name === 'supervisor' || name === 'admin' ? {} : envOf(name, settings(name)),
      };
    },
  };
}

/** Settings of components, which kustomize reads and does not apply. */
async function platformSettings(): Promise<Record<string, string>> {
  const file = join(manifests, 'components/installation/kustomization.yaml');
  const { configMapGenerator } = z
    .object({ configMapGenerator: z.array(z.object({ name: z.string(), literals: z.array(z.string()) })) })
    .parse(parse(await readFile(file, 'utf8')));
  const { literals = [] } = configMapGenerator.find(({ name }) => name === 'platform') ?? {};
  return Object.fromEntries(
    literals.map((literal) => {
      const [name = '', ...value] = literal.split('=');
      return [name, value.join('=')];
    }),
  );
}
