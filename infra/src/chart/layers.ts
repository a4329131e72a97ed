import type { KubernetesObject } from '../kubernetes/objects.ts';
import { rendered } from '../kubernetes/objects.ts';
import { kustomized, marks, withMarks, withoutHashes, type Layer } from './bases.ts';
import { configs } from './config.ts';
import { at, listAt, put, textAt, textsAt } from './fields.ts';
import { identityOf, textOfObjects, withVariants, type Templated, type Variant } from './objects.ts';
import { commonExpressions, commonVariants, fileOf, putPlaces, type Context } from './places.ts';
import { block, inline, when, withExpressions } from './template.ts';

/** A template of the chart, and the files whose texts it takes, by their names in the chart. */
export interface LayerTemplate {
  text: string;
  files: Map<string, string>;
}

/** Whether there is a template of Jobs that make keys. */
const keys = '$.Values.controlPlane.keys.enabled';

/** Whether people have the web console of this release. */
const console = '$.Values.controlPlane.console.enabled';

const serviceValues = {
  'main-api': '$.Values.controlPlane.mainApi',
  audit: '$.Values.controlPlane.audit',
  notifier: '$.Values.controlPlane.notifier',
  console: '$.Values.controlPlane.console',
  admin: '$.Values.controlPlane.admin',
  keys: '$.Values.controlPlane.keys',
  dumps: '$.Values.dumps',
  restore: '$.Values.dumps',
};

export async function controlPlane(): Promise<LayerTemplate> {
  const context: Context = {
    values: serviceValues,
    settings: {
      ...{ installation: '$', 'main-api': '$', audit: '$', notifier: '$', console: '$' },
      ...{ keys: '$', dumps: '$' },
    },
  };
  const variants = [
    ...commonVariants('control-plane'),
    ['$.Values.controlPlane.notifier.bounces', 'bounces'] as [string, string],
    ['and $.Values.dumps.enabled $.Values.dumps.storage', 'dumps-volume'] as [string, string],
  ];
  const { files, objects } = await templated('control-plane', variants, context);
  objects.push(
    ...(await nodePorts('control-plane', { 'main-api': 'mainApi', audit: 'audit', console: 'console' })),
  );
  for (const { object, conditions } of objects) {
    if (object.metadata.name === 'admin') conditions.push('$.Values.controlPlane.admin.enabled');
    if (object.metadata.name === 'keys') conditions.push(keys);
    if (/^console(-|$)/.test(object.metadata.name)) conditions.push(console);
    if (object.kind === 'Deployment' && object.metadata.name === 'notifier') putMails(object);
    if (object.kind === 'ConfigMap' && object.metadata.name === 'catalogue') putCatalogue(object);
  }
  const text = withExpressions(
    textOfObjects(objects),
    new Map([
      ...commonExpressions,
      [marks.namespace, '$.Values.controlPlane.namespace'],
      [marks.mainApiHost, 'include "sluice.host" $.Values.controlPlane.mainApi'],
      [marks.auditHost, 'include "sluice.host" $.Values.controlPlane.audit'],
      [marks.consoleHost, 'include "sluice.host" $.Values.controlPlane.console'],
    ]),
  );
  const check = `{{- if ${keys} }}{{ include "sluice.checkKeys" $ }}{{ end }}{{ include "sluice.checkConsole" $ }}`;
  return { text: `{{- if .Values.controlPlane.enabled }}\n${check}\n${text}{{- end }}\n`, files };
}

export async function regions(): Promise<LayerTemplate> {
  const context: Context = {
    values: { supervisor: '$region' },
    settings: { installation: '$', region: '$region' },
  };
  const variants = [
    ...commonVariants('region'),
    ['$region.agentApiAuthority', 'agent-api-authority'] as [string, string],
    ['$.Values.network.acmeNameServers', 'acme'] as [string, string],
  ];
  const { files, objects } = await templated('region', variants, context);
  objects.push(...(await nodePorts('region', { supervisor: undefined })));
  for (const { object, conditions } of objects) if (object.metadata.name === 'keys') conditions.push(keys);
  const text = withExpressions(
    textOfObjects(objects),
    new Map([
      ...commonExpressions,
      [marks.namespace, '$namespace'],
      [marks.regionHost, 'include "sluice.host" $region'],
      // names of objects without a namespace have the host of the overlay below
      [new URL(publicUrlOf(await rendered(regionOverlay))).host, 'include "sluice.host" $region'],
      [marks.cloud, '$region.cloud'],
      [marks.region, '$region.region'],
      [marks.authority, '$region.agentApiAuthority'],
    ]),
  );
  const head = [
    '{{- range $one := .Values.regions }}',
    '{{- $region := mergeOverwrite (deepCopy $.Values.supervisor) $one }}',
    '{{- $namespace := include "sluice.regionNamespace" $region }}',
  ].join('\n');
  return { text: `${head}\n${text}{{- end }}\n`, files };
}

const regionOverlay = 'overlays/regions/cloud-a-us-east-1';
const publicUrlOf = (objects: readonly KubernetesObject[] = []) =>
  textAt(
    objects
      .map(withoutHashes)
      .find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'region'),
    'data',
    'PUBLIC_URL',
  );

/** What is there once in a cluster. */
export async function cluster(): Promise<LayerTemplate> {
  const objects = await kustomized({ resources: ['overlays/cluster'] });
  const text = textOfObjects(objects.map((object) => ({ object, conditions: [] })));
  return { text: `{{- if .Values.cluster.enabled }}\n${text}{{- end }}\n`, files: new Map() };
}

/** PostgreSQL and NATS for a trial. */
export async function data(): Promise<LayerTemplate> {
  const objects = (await kustomized({ resources: ['examples/data'] })).map(withoutHashes);
  const trees = structuredClone(objects);
  for (const object of trees) {
    putPlaces(object, { values: {}, settings: {} });
    if (object.kind === 'StatefulSet') putPlacesOfServer(object);
  }
  const text = textOfObjects(
    trees.map((object) => ({
      object,
      conditions: [
        ...(object.kind === 'Namespace' ? ['$.Values.namespaces.create'] : []),
        ...(object.metadata.name === 'keys' ? [keys] : []),
      ],
    })),
  );
  return { text: `{{- if .Values.data.enabled }}\n${text}{{- end }}\n`, files: filesOf(objects) };
}

async function templated(
  layer: Layer,
  components: [condition: string, component: string][],
  context: Context,
) {
  // other components change what this one adds
  const added = layer === 'control-plane' ? ['dumps'] : [];
  const known = new Set((await withMarks(layer)).map(identityOf));
  const base = await withMarks(layer, ...added);
  const variants: Variant[] = [];
  for (const [condition, component] of components)
    variants.push({ condition, objects: await withMarks(layer, ...added, component) });
  const objects = withVariants(base, variants, (object) => {
    putPlaces(object, context);
  });
  for (const { object, conditions } of objects.slice(0, base.length))
    if (!known.has(identityOf(object))) conditions.push('$.Values.dumps.enabled');
  return { files: filesOf([...base, ...variants.flatMap((variant) => variant.objects)]), objects };
}

/** What ConfigMaps have besides settings. */
const filesOf = (objects: readonly KubernetesObject[]) =>
  new Map(
    objects.flatMap(({ kind, metadata: { name }, data }) =>
      kind === 'ConfigMap' && !(name in configs)
        ? Object.entries(textsAt(data)).map(([key, text]): [string, string] => [fileOf(name, key), text])
        : [],
    ),
  );

/** The Services with ports of the machine, for a cluster without an edge, as the example for one machine has them. */
async function nodePorts(
  layer: Layer,
  services: Readonly<Record<string, string | undefined>>,
): Promise<Templated[]> {
  const folder = layer === 'region' ? 'regions/cloud-a-us-east-1' : layer;
  const objects = (await rendered(`examples/local/${folder}`)) ?? [];
  return objects.flatMap((object) => {
    const { kind, metadata } = object;
    const service = metadata.name.replace(/-port$/, '');
    const isPort = kind === 'Service' && service in services && at(object, 'spec', 'type') === 'NodePort';
    if (metadata.name !== 'node-ports' && !isPort) return [];
    metadata.namespace = marks.namespace;
    const own = services[service];
    const port = own === undefined ? '$region.nodePort' : `$.Values.edge.nodePorts.${own}`;
    if (isPort)
      put(object, ['spec', 'ports', 0, 'nodePort'], inline(`required "a region needs nodePort" ${port}`));
    return [{ object, conditions: ['(eq $.Values.edge.kind "nodePorts")'] }];
  });
}

function putMails(object: KubernetesObject): void {
  const env = listAt(object, 'spec', 'template', 'spec', 'containers', 0, 'env');
  const transport = env.find((one) => at(one, 'name') === 'MAIL_TRANSPORT');
  put(transport, ['value'], inline('$.Values.controlPlane.notifier.mails | quote'));
  env.push(when('eq $.Values.controlPlane.notifier.mails "file"', { name: 'MAIL_DIR', value: '/tmp/mail' }));
}

function putCatalogue(object: KubernetesObject): void {
  const file = fileOf('catalogue', 'catalogue.yaml');
  const text = `$.Values.controlPlane.catalogue | default ($.Files.Get "${file}") | toJson`;
  put(object, ['data', 'catalogue.yaml'], inline(text));
}

function putPlacesOfServer(object: KubernetesObject): void {
  const { name } = object.metadata;
  const own = `$.Values.data.${name}`;
  const template = at(object, 'spec', 'template');
  for (const containers of ['containers', 'initContainers'])
    if (at(template, 'spec', containers) !== undefined)
      for (const container of listAt(template, 'spec', containers))
        put(container, ['image'], inline(`${own}.image | quote`));
  put(template, ['spec', 'containers', 0, 'resources'], block(`${own}.resources`));
  const pullSecret = '$.Values.images.pullSecret';
  put(template, ['spec', 'imagePullSecrets'], when(pullSecret, [{ name: inline(`${pullSecret} | quote`) }]));
  const claim = at(object, 'spec', 'volumeClaimTemplates', 0, 'spec');
  const storageClass = '$.Values.data.storageClass';
  put(claim, ['storageClassName'], when(storageClass, inline(`${storageClass} | quote`)));
  if (name === 'postgresql')
    put(claim, ['resources', 'requests', 'storage'], inline(`${own}.storage | quote`));
  const sum = inline(`include "sluice.files" (list $ "${name}") | sha256sum`);
  put(template, ['metadata', 'annotations'], { 'sluice.example/settings': sum });
}
