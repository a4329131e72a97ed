import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { manifests, objectsIn, rendered, type KubernetesObject } from '../kubernetes/objects.ts';
import { withoutHashes } from './bases.ts';
import { envOf } from './config.ts';
import { imageNames, type Reference } from './images.ts';
import type { Fields } from './objects.ts';
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
  const [policy] = controlPlane.find('NetworkPolicy', 'data')['spec'].egress;
  const withRoute = (service: 'main-api' | 'audit') => ({
    ...controlPlane.service(service),
    publicUrl: controlPlane.settings(service)['PUBLIC_URL'],
    tlsSecret: controlPlane.find('Ingress', service)['spec'].tls[0].secretName,
  });
  const registries = [...references.values()].map(({ registry }) => registry);
  const keys = controlPlane.settings('keys');
  const [nightly] = await dumps();
  const server = (name: string) => {
    const [container] = data.find('StatefulSet', name)['spec'].template.spec.containers;
    return { image: container.image, resources: container.resources };
  };
  const [claim] = data.find('StatefulSet', 'postgresql')['spec'].volumeClaimTemplates;
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
      admin: {
        resources: controlPlane.service('admin').resources,
        secret: controlPlane.service('admin').secret,
      },
      keys: {
        resources: podOfCronJob(controlPlane.find('CronJob', 'keys')).containers[0].resources,
        postgresql: keys['POSTGRESQL'],
        dataNamespace: keys['DATA_NAMESPACE'],
      },
    },
    supervisor: {
      ...firstRegion.service('supervisor'),
      env: envOf('region', firstRegion.settings('region')),
      tlsSecret: firstRegion.find('Ingress', 'supervisor')['spec'].tls[0].secretName,
    },
    regions: regions.map(({ settings }) => {
      const { CLOUD: cloud = '', REGION: region = '', PUBLIC_URL: publicUrl = '' } = settings('region');
      return { cloud, region, publicUrl };
    }),
    edge: {
      ingress: { className: platform['INGRESS_CLASS'] },
      gateway: { name: platform['GATEWAY'], namespace: platform['GATEWAY_NAMESPACE'] },
      certificates: { kind: platform['ISSUER_KIND'] },
      nodePorts: { mainApi: 30_080, audit: 30_081 },
    },
    network: {
      data: {
        cidrs: policy.to.map((one: Fields) => one['ipBlock'].cidr),
        ports: policy.ports.map((one: Fields) => one['port']),
      },
    },
    monitoring: { runbooks: platform['RUNBOOKS'] },
    dumps: {
      schedule: nightly?.['spec'].schedule,
      resources: podOfCronJob(nightly).containers[0].resources,
    },
    data: {
      postgresql: { ...server('postgresql'), storage: claim.spec.resources.requests.storage },
      nats: server('nats'),
    },
  };
  // regions have what they say themselves: the rest is that of `supervisor`
  const { regions: _, ...values } = valuesSchema.parse(input);
  return { ...values, regions: input.regions };
}

const podOfCronJob = (object: Fields | undefined): Fields => object?.['spec'].jobTemplate.spec.template.spec;

const dumps = async (): Promise<Fields[]> =>
  objectsIn(await readFile(join(manifests, 'components/dumps/cron-jobs.yaml'), 'utf8')).filter(
    ({ kind }) => kind === 'CronJob',
  );

/** What kustomize makes of a folder, as values of the chart. */
async function overlay(folder: string) {
  const objects: KubernetesObject[] = ((await rendered(folder)) ?? []).map(withoutHashes);
  const find = (kind: string, name: string): Fields => {
    const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
    if (!found) throw new Error(`${folder} has no ${kind} ${name}`);
    return found;
  };
  const settings = (name: string): Record<string, string> => find('ConfigMap', name)['data'];
  return {
    find,
    settings,
    /** of a Deployment and its autoscaler */
    service(name: string) {
      const { replicas, template } = find('Deployment', name)['spec'];
      const autoscaler: Fields | undefined = objects.find(
        ({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === name,
      );
      const [container] = template.spec.containers;
      return {
        replicas: autoscaler
          ? { min: autoscaler['spec'].minReplicas, max: autoscaler['spec'].maxReplicas }
          : replicas,
        resources: container.resources,
        secret: template.spec.volumes.find((one: Fields) => one['name'] === 'secrets').secret.secretName,
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
  return Object.fromEntries(literals.map((literal) => /^([^=]+)=(.*)$/s.exec(literal)?.slice(1) ?? []));
}
