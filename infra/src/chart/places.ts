import type { KubernetesObject } from '../kubernetes/objects.ts';
import { marks } from './bases.ts';
import { at, listAt, put, textAt, textsAt } from './fields.ts';
import { imageNames } from './images.ts';
import { block, entries, inline, text, when } from './template.ts';

/** Where values go, in objects of all layers. */

/** Expressions for the marks that all layers have. */
export const commonExpressions = new Map<string, string>([
  [marks.ingressClass, '$.Values.edge.ingress.className'],
  [marks.gateway, '$.Values.edge.gateway.name'],
  [marks.gatewayNamespace, '$.Values.edge.gateway.namespace'],
  [marks.issuer, '$.Values.edge.certificates.issuer'],
  [marks.issuerKind, '$.Values.edge.certificates.kind'],
  [marks.runbooks, '$.Values.monitoring.runbooks'],
  [marks.pullSecret, '$.Values.images.pullSecret'],
  [marks.postgresqlAuthority, '$.Values.postgresql.authority'],
  [marks.natsAuthority, '$.Values.nats.authority'],
  [marks.natsClient, '$.Values.nats.clientCertificate'],
  ...imageNames.map(({ key, name }): [string, string] => [
    `${name}:${marks.tag}`,
    `include "sluice.image" (list $ "${key}")`,
  ]),
]);

/** Conditions of Helm for components that all layers have, beside their own. */
export const commonVariants = (
  layer: 'control-plane' | 'region',
): [condition: string, component: string][] => [
  ['eq $.Values.edge.kind "gateway"', `gateway/${layer}`],
  ['has $.Values.edge.kind (list "nodePorts" "none")', 'edge'],
  ['$.Values.edge.certificates.issuer', `cert-manager/${layer}`],
  ['$.Values.monitoring.enabled', `monitoring/${layer}`],
  ['$.Values.network.nodeLocalDns', 'node-local-dns'],
  ['$.Values.images.pullSecret', 'registry'],
  ['$.Values.data.enabled', 'data-in-cluster'],
  ['$.Values.postgresql.authority', 'postgresql-tls'],
  ['$.Values.nats.authority', 'nats-tls'],
  ['$.Values.nats.clientCertificate', 'nats-client-certificate'],
];

/** The file of the chart that has a ConfigMap's key of several lines. */
export const fileOf = (configMap: string, key: string) => `files/${configMap}/${key}`;

/** What an object of the chart is of. */
export interface Context {
  /** the expression of a service's values, by the name of its objects */
  values: Readonly<Record<string, string>>;
  /** the expression that templates of settings get, by the name of the ConfigMap */
  settings: Readonly<Record<string, string>>;
}

type Put = (object: KubernetesObject, own: string, context: Context) => void;

/** By kind: what has a value, where `own` is the expression of the values of what the object is of. */
const byKind: Readonly<Record<string, Put>> = {
  Ingress(object, own) {
    const annotations = '$.Values.edge.ingress.annotations';
    put(object, ['metadata', 'annotations'], when(annotations, block(annotations)));
    put(object, ['spec', 'tls', 0, 'secretName'], inline(`${own}.tlsSecret | quote`));
  },
  HorizontalPodAutoscaler(object, own) {
    put(object, ['spec', 'minReplicas'], inline(`${own}.replicas.min`));
    put(object, ['spec', 'maxReplicas'], inline(`${own}.replicas.max`));
  },
  NetworkPolicy(object, own) {
    if (at(object, 'spec', 'egress') !== undefined)
      listAt(object, 'spec', 'egress').push(entries(`${own}.egress`));
  },
  Deployment(object, own, { settings }) {
    if (at(object, 'spec', 'replicas') === 2) put(object, ['spec', 'replicas'], inline(`${own}.replicas`));
    const template = at(object, 'spec', 'template');
    const sources = listAt(template, 'spec', 'containers', 0, 'envFrom');
    const sums = sources.map((source) => {
      const name = textAt(source, 'configMapRef', 'name');
      return `(include "sluice.config.${name}" ${settings[name]})`;
    });
    put(template, ['metadata', 'annotations'], {
      'sluice.example/settings': inline(`print ${sums.join(' ')} | sha256sum`),
      pods: entries('$.Values.pods.annotations'),
    });
    putPlacesOfPod(template, own, `${own}.secret`);
  },
  CronJob(object, own) {
    // dumps have the databases of the admin pod
    putPlacesOfPod(
      at(object, 'spec', 'jobTemplate', 'spec', 'template'),
      own,
      '$.Values.controlPlane.admin.secret',
    );
    if (object.metadata.name === 'dumps')
      put(object, ['spec', 'schedule'], inline(`${own}.schedule | quote`));
  },
  PersistentVolumeClaim(object, own) {
    put(object, ['metadata', 'annotations'], { 'helm.sh/resource-policy': 'keep' });
    put(object, ['spec', 'resources', 'requests', 'storage'], inline(`${own}.storage | quote`));
  },
};

/** Puts the places for values into an object. */
export function putPlaces(object: KubernetesObject, context: Context): void {
  const { name } = object.metadata;
  const tlsSecret = (secret: string) =>
    inline(`${context.values[secret.replace(/-tls$/, '')]}.tlsSecret | quote`);
  if (object.kind === 'Namespace')
    // a release that is uninstalled leaves the Secrets, and so the keys, where they are
    put(object, ['metadata', 'annotations'], { 'helm.sh/resource-policy': 'keep' });
  if (object.kind === 'ConfigMap') putSettings(object, context.settings[name]);
  if (object.apiVersion.startsWith('monitoring.coreos.com/'))
    put(
      object,
      ['metadata', 'labels'],
      when('$.Values.monitoring.labels', block('$.Values.monitoring.labels')),
    );
  if (object.kind === 'Certificate') put(object, ['spec', 'secretName'], tlsSecret(name));
  if (object.kind === 'ReferenceGrant')
    for (const to of listAt(object, 'spec', 'to')) put(to, ['name'], tlsSecret(textAt(to, 'name')));
  if (object.kind === 'RoleBinding')
    // the Job of the control plane, also where its Role is in another namespace
    for (const subject of listAt(object, 'subjects'))
      if (at(subject, 'namespace') === 'sluice')
        put(subject, ['namespace'], inline('$.Values.controlPlane.namespace | quote'));
  if (object.kind === 'NetworkPolicy' && name === 'data')
    put(object, ['spec', 'egress'], text('include "sluice.dataEgress" $'));
  const own = context.values[name];
  if (own !== undefined) byKind[object.kind]?.(object, own, context);
}

/** @param argument undefined for a ConfigMap of files */
function putSettings(object: KubernetesObject, argument: string | undefined): void {
  const { name } = object.metadata;
  if (argument !== undefined) put(object, ['data'], text(`include "sluice.config.${name}" ${argument}`));
  else
    for (const key of Object.keys(textsAt(object, 'data')))
      put(object, ['data', key], inline(`$.Files.Get "${fileOf(name, key)}" | toJson`));
}

function putPlacesOfPod(template: unknown, own: string, secret: string): void {
  put(template, ['metadata', 'labels', 'pods'], entries('$.Values.pods.labels'));
  for (const field of ['nodeSelector', 'tolerations'])
    put(template, ['spec', field], when(`$.Values.pods.${field}`, block(`$.Values.pods.${field}`)));
  const priority = '$.Values.pods.priorityClassName';
  put(template, ['spec', 'priorityClassName'], when(priority, inline(`${priority} | quote`)));
  put(template, ['spec', 'containers', 0, 'resources'], block(`${own}.resources`));
  for (const volume of listAt(template, 'spec', 'volumes'))
    if (at(volume, 'name') === 'secrets') put(volume, ['secret', 'secretName'], inline(`${secret} | quote`));
}
