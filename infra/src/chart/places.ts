import { marks } from './bases.ts';
import { imageNames } from './images.ts';
import type { Fields } from './objects.ts';
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

/** Puts the places for values into an object. */
export function putPlaces(object: Fields, { values, settings }: Context): void {
  const { metadata, spec } = object;
  const name: string = metadata.name;
  const own = values[name];
  if (object['kind'] === 'Namespace') {
    // a release that is uninstalled leaves the Secrets, and so the keys, where they are
    metadata.annotations = { 'helm.sh/resource-policy': 'keep' };
  } else if (object['kind'] === 'ConfigMap') {
    const argument = settings[name];
    if (argument === undefined) filesFor(object['data'], name);
    else object['data'] = text(`include "sluice.config.${name}" ${argument}`);
  } else if (String(object['apiVersion']).startsWith('monitoring.coreos.com/')) {
    metadata.labels = when('$.Values.monitoring.labels', block('$.Values.monitoring.labels'));
  } else if (object['kind'] === 'Ingress') {
    const annotations = '$.Values.edge.ingress.annotations';
    metadata.annotations = when(annotations, block(annotations));
    if (own !== undefined) spec.tls[0].secretName = inline(`${own}.tlsSecret | quote`);
  } else if (object['kind'] === 'Certificate') {
    const secret = inline(`${values[name.replace(/-tls$/, '')]}.tlsSecret | quote`);
    spec.secretName = secret;
  } else if (object['kind'] === 'ReferenceGrant') {
    for (const to of spec.to) to.name = inline(`${values[to.name.replace(/-tls$/, '')]}.tlsSecret | quote`);
  } else if (object['kind'] === 'HorizontalPodAutoscaler') {
    spec.minReplicas = inline(`${own}.replicas.min`);
    spec.maxReplicas = inline(`${own}.replicas.max`);
  } else if (object['kind'] === 'NetworkPolicy' && name === 'data') {
    spec.egress = text('include "sluice.dataEgress" $');
  } else if (object['kind'] === 'NetworkPolicy' && own !== undefined && spec.egress) {
    spec.egress.push(entries(`${own}.egress`));
  } else if (object['kind'] === 'Deployment' && own !== undefined) {
    putPlacesOfDeployment(spec, own, settings);
  } else if (object['kind'] === 'CronJob' && own !== undefined) {
    putPlacesOfPod(spec.jobTemplate.spec.template, own);
    if (name === 'dumps') spec.schedule = inline(`${own}.schedule | quote`);
  } else if (object['kind'] === 'PersistentVolumeClaim' && own !== undefined) {
    metadata.annotations = { 'helm.sh/resource-policy': 'keep' };
    spec.resources.requests.storage = inline(`${own}.storage | quote`);
  } else if (object['kind'] === 'RoleBinding') {
    // the Job of the control plane, also where its Role is in another namespace
    for (const subject of object['subjects'])
      if (subject.namespace === 'sluice')
        subject.namespace = inline('$.Values.controlPlane.namespace | quote');
  }
}

function filesFor(files: Record<string, unknown>, name: string): void {
  for (const key of Object.keys(files)) files[key] = inline(`$.Files.Get "${fileOf(name, key)}" | toJson`);
}

function putPlacesOfDeployment(spec: Fields, own: string, settings: Context['settings']): void {
  if (spec['replicas'] === 2) spec['replicas'] = inline(`${own}.replicas`);
  const { template } = spec;
  const [container] = template.spec.containers;
  const sources: string[] = container.envFrom.map((one: Fields) => one['configMapRef'].name);
  const sums = sources.map((name) => `(include "sluice.config.${name}" ${settings[name]})`);
  template.metadata.annotations = {
    'sluice.example/settings': inline(`print ${sums.join(' ')} | sha256sum`),
    pods: entries('$.Values.pods.annotations'),
  };
  putPlacesOfPod(template, own);
  for (const { name, secret } of template.spec.volumes)
    if (name === 'secrets') secret.secretName = inline(`${own}.secret | quote`);
}

function putPlacesOfPod({ metadata, spec: pod }: Fields, own: string): void {
  metadata.labels['pods'] = entries('$.Values.pods.labels');
  for (const field of ['nodeSelector', 'tolerations'])
    pod[field] = when(`$.Values.pods.${field}`, block(`$.Values.pods.${field}`));
  pod.priorityClassName = when(
    '$.Values.pods.priorityClassName',
    inline('$.Values.pods.priorityClassName | quote'),
  );
  pod.containers[0].resources = block(`${own}.resources`);
  // dumps have the databases of the admin pod
  for (const { name, secret } of pod.volumes)
    if (name === 'secrets') secret.secretName = inline('$.Values.controlPlane.admin.secret | quote');
}
