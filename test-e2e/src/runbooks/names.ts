import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { misunderstood } from '@sluice/admin';
import { rendered, type KubernetesObject } from '@sluice/infra/kubernetes/objects';
import { podOf, type Pod } from '@sluice/infra/kubernetes/pods';
import { repository } from '@sluice/testing';
import { z } from 'zod';
import type { Call } from './rehearsal.ts';

/** Whether what the calls of a runbook name is there: in the manifests, among the scripts, in the images. */

const folders = [
  'data',
  'cluster',
  'control-plane',
  'regions/cloud-a-us-east-1',
  'regions/cloud-b-us-central1',
];

/** What is in the cluster of one machine; undefined where there is no kubectl to put the manifests together. */
export async function installedObjects(): Promise<KubernetesObject[] | undefined> {
  const all = [...folders.map((folder) => `examples/local/${folder}`), 'examples/edge'];
  const lists = await Promise.all(all.map(rendered));
  return lists.some((list) => list === undefined) ? undefined : lists.flatMap((list) => list ?? []);
}

const kinds: Readonly<Record<string, string>> = {
  deployment: 'Deployment',
  statefulset: 'StatefulSet',
  service: 'Service',
  node: 'Node',
  nodes: 'Node',
  namespace: 'Namespace',
  namespaces: 'Namespace',
  pod: 'Pod',
  pods: 'Pod',
  pvc: 'PersistentVolumeClaim',
  pv: 'PersistentVolume',
  secret: 'Secret',
  configmap: 'ConfigMap',
  cronjob: 'CronJob',
  job: 'Job',
  jobs: 'Job',
};
/** flags whose value is the next argument */
const withValue = ['-n', '-c', '-l', '-f', '-k', '-o', '-p'];

interface Parsed {
  verb: string;
  words: string[];
  flags: Map<string, string>;
  /** what is run in a container */
  command: string[];
}

function parse(args: readonly string[]): Parsed {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const words: string[] = [];
  const flags = new Map<string, string>();
  for (let at = 0; at < end; at++) {
    const argument = args[at] ?? '';
    if (withValue.includes(argument)) flags.set(argument, args[++at] ?? '');
    else if (argument.startsWith('-'))
      flags.set(argument.replace(/=.*/s, ''), argument.replace(/^[^=]*=?/s, ''));
    else words.push(argument);
  }
  const [verb = '', ...rest] = words;
  return { verb, words: rest, flags, command: args.slice(end + 1) };
}

export class Names {
  readonly #objects: readonly KubernetesObject[];
  readonly #checkout: string;
  readonly #namespaces: Set<string>;
  /** `<namespace>/<name>` of those that were applied, with their keys */
  readonly #secrets = new Map<string, string[]>();

  /** `<namespace>/<name>` of what was created */
  readonly #made = new Set<string>();

  /** @param checkout where the calls were made */
  constructor(objects: readonly KubernetesObject[], checkout: string) {
    this.#objects = objects;
    this.#checkout = checkout;
    this.#namespaces = new Set(
      objects.flatMap(({ kind, metadata }) => (kind === 'Namespace' ? metadata.name : [])),
    );
  }

  /** Remembers what a call creates, for those that come after it. */
  note({ program, args }: Call): void {
    const { verb, words, flags } = parse(args);
    if (program === 'kubectl' && verb === 'create')
      this.#made.add(`${flags.get('-n') ?? ''}/${words.at(-1) ?? ''}`);
  }

  /** @returns what the call names and is not there */
  async faultsOf({ program, args, input }: Call): Promise<string[]> {
    const faults = program === 'npm' ? await this.#ofNpm(args) : await this.#ofKubectl(parse(args), input);
    return faults.map((fault) => `${program} ${args.join(' ').slice(0, 200)}: ${fault}`);
  }

  async #ofNpm(args: readonly string[]): Promise<string[]> {
    const { words } = parse(args);
    const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    return words[0] !== undefined && words[0] in scripts ? [] : [`there is no script ${words[0]}`];
  }

  async #ofKubectl(call: Parsed, input: string): Promise<string[]> {
    const { verb, words, flags, command } = call;
    const namespace = flags.get('-n');
    const deployment = namespace?.replace(/-d\d+$/, '');
    if (deployment !== undefined && !this.#isNamespace(deployment)) return [`no namespace ${namespace}`];
    const folder = flags.get('-k');
    if (folder !== undefined && !existsSync(join(this.#checkout, folder, 'kustomization.yaml')))
      return [`no manifests ${folder}`];
    if (verb === 'apply') return this.#ofInput(input);
    // what is made is not there before
    if (verb === 'create') return this.#ofTemplate(flags, namespace ?? '');
    // nodes of a deployment are made by its supervisor
    if (namespace !== deployment) return [];
    const [pod, faults] = this.#resources(verb, words, namespace ?? '');
    return [
      ...faults,
      ...this.#ofFlags(flags, namespace ?? ''),
      ...(await this.#ofCommand(command, pod, flags, words)),
    ];
  }

  /** the CronJob that a Job is made from */
  #ofTemplate(flags: ReadonlyMap<string, string>, namespace: string): string[] {
    const [, name] = flags.get('--from')?.split('/') ?? [];
    return name === undefined || this.#find('CronJob', name, namespace) ? [] : [`no CronJob ${name}`];
  }

  /** the Secrets that are applied */
  #ofInput(input: string): string[] {
    if (input === '') return [];
    const { items } = z.object({ items: z.array(applied) }).parse(JSON.parse(input));
    for (const { metadata, stringData } of items)
      this.#secrets.set(`${metadata.namespace}/${metadata.name}`, Object.keys(stringData));
    return items.flatMap(({ metadata: { namespace } }) =>
      this.#isNamespace(namespace) ? [] : [`no namespace ${namespace}`],
    );
  }

  /** One of the manifests, or of a region that was added to the checkout. */
  #isNamespace(name: string): boolean {
    const overlay = join(this.#checkout, 'k8s/examples/local/regions', name.replace(/^sluice-/, ''));
    return this.#namespaces.has(name) || existsSync(overlay);
  }

  /** @returns the pod that is meant, if one is, and what is not there */
  #resources(verb: string, words: readonly string[], namespace: string): [Pod | undefined, string[]] {
    const rest = verb === 'rollout' ? words.slice(1) : words;
    let [kind, pod]: [string | undefined, Pod | undefined] = [undefined, undefined];
    const faults: string[] = [];
    for (const word of rest) {
      const [first = '', name] = word.split('/');
      if (name === undefined && kind === undefined && first in kinds) {
        kind = kinds[first];
        continue;
      }
      // a port of port-forward
      if (/^\d+(:\d+)?$/.test(word)) continue;
      if (kind === 'Secret' && this.#secrets.has(`${namespace}/${first}`)) continue;
      if (this.#made.has(`${namespace}/${name ?? first}`)) continue;
      // machines and volumes are the cluster's
      if (kind === 'Node' || kind === 'PersistentVolume') continue;
      const known = name === undefined ? (kind ?? 'Pod') : kinds[first];
      const found = known === undefined ? undefined : this.#find(known, name ?? first, namespace);
      if (!found) faults.push(`no ${word} in ${namespace}`);
      pod ??= found && podOf(found);
    }
    return [pod, faults];
  }

  /** The object, or the workload that it comes from. */
  #find(kind: string, name: string, namespace: string): KubernetesObject | undefined {
    // a region that was added is like the others
    const like = this.#namespaces.has(namespace) ? namespace : 'sluice-cloud-b-us-central1';
    const isThere = (wanted: string) => (object: KubernetesObject) =>
      object.kind === wanted && object.metadata.namespace === like;
    if (kind === 'Pod' || kind === 'PersistentVolumeClaim')
      return this.#objects.filter(isThere('StatefulSet')).find((set) => podNamesOf(set, kind).includes(name));
    return this.#objects.filter(isThere(kind)).find(({ metadata }) => metadata.name === name);
  }

  #ofFlags(flags: ReadonlyMap<string, string>, namespace: string): string[] {
    const selector = flags.get('-l');
    // of all namespaces those of deployments are selected, which supervisors make
    if (selector === undefined || namespace === '') return [];
    const [key = '', value] = selector.split('=');
    const isSelected = (object: KubernetesObject) =>
      object.metadata.namespace === namespace && labelsOf(object)[key] === value;
    return this.#objects.some(isSelected) ? [] : [`no pod ${selector} in ${namespace}`];
  }

  async #ofCommand(
    command: readonly string[],
    pod: Pod | undefined,
    flags: ReadonlyMap<string, string>,
    words: readonly string[],
  ): Promise<string[]> {
    if (command.length === 0 || !pod) return [];
    const container = flags.get('-c') ?? pod.containers[0]?.name;
    const found = pod.containers.find(({ name }) => name === container);
    if (!found) return [`no container ${container} in ${words.join(' ')}`];
    const files = command.flatMap((argument) => argument.match(/program\/src\/[\w/-]+\.ts/g) ?? []);
    const image = /^sluice\/([\w-]+):/.exec(found.image)?.[1] ?? '';
    const missing = files.filter(
      (file) => !existsSync(join(repository, file.replace('program', `services/${image}`))),
    );
    const mounts = command.flatMap((argument) => argument.match(/\/etc\/[\w/.]+/g) ?? []);
    const values = found.env.map(({ value }) => value);
    const unmounted = mounts.filter(
      (path) =>
        !values.includes(path) &&
        !found.volumeMounts.some(({ mountPath }) => image === '' && path.startsWith(`${mountPath}/`)),
    );
    const unknown = image === 'admin' ? await this.#ofAdmin(command) : [];
    return [...missing, ...unmounted, ...unknown].map((path) => `no ${path} in ${found.image}`);
  }

  /** What the admin pod lacks of a command: its program, or the database that it names. */
  async #ofAdmin([name = '', ...args]: readonly string[]): Promise<string[]> {
    const programs = adminPrograms();
    const databases = args.flatMap((argument) => /^--service=(.*)$/.exec(argument)?.[1] ?? []);
    const keys = this.#secrets.get('sluice/admin') ?? [];
    return [
      ...(existsSync(join(repository, programs.get(name) ?? 'missing')) ? [] : [name]),
      ...(name === 'sluice-admin' ? await notUnderstood(args) : []),
      ...databases.map((service) => `DATABASE_URL.${service}`).filter((key) => !keys.includes(key)),
    ];
  }
}

/** What `sluice-admin` does not understand of its arguments. */
async function notUnderstood(args: readonly string[]): Promise<string[]> {
  const fault = await misunderstood(args);
  return fault === undefined ? [] : [`sluice-admin ${args.join(' ')} (${fault.split('\n')[0]})`];
}

/** The programs of the image `admin`, by the names of its commands. */
function adminPrograms(): Map<string, string> {
  const dockerfile = readFileSync(join(repository, 'Dockerfile'), 'utf8');
  const commands = dockerfile.matchAll(/^ +([\w-]+)=((?:packages|infra)\/[\w/-]+\.ts)\b/gm);
  return new Map([...commands].map(([, name = '', program = '']) => [name, program]));
}

const applied = z.object({
  metadata: z.object({ namespace: z.string(), name: z.string() }),
  stringData: z.record(z.string(), z.string()),
});

const setSchema = z.looseObject({
  spec: z.looseObject({
    replicas: z.number(),
    volumeClaimTemplates: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string() }) })),
  }),
});

function podNamesOf(set: KubernetesObject, kind: string): string[] {
  const { replicas, volumeClaimTemplates } = setSchema.parse(set).spec;
  const pods = Array.from({ length: replicas }, (_, index) => `${set.metadata.name}-${index}`);
  return kind === 'Pod'
    ? pods
    : volumeClaimTemplates.flatMap(({ metadata }) => pods.map((pod) => `${metadata.name}-${pod}`));
}

const templateSchema = z.looseObject({
  spec: z.looseObject({
    template: z.looseObject({ metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }) }),
  }),
});
const labelsOf = (object: KubernetesObject): Record<string, string> =>
  templateSchema.safeParse(object).data?.spec.template.metadata.labels ?? {};
