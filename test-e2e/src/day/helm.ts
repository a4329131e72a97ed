import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@sluice/testing';
import { parse, stringify } from 'yaml';
import type { Day } from './day.ts';
import { bothVersions, firstVersion, lastVersion, manifestOf, releaseFolder } from './releases.ts';

/** What is done with an installation by the chart. */

const regions = ['cloud_a/us-east-1', 'cloud_b/us-central1'];
const third = { cloud: 'cloud_b', region: 'us-east4', port: 30_084 } as const;
const patience = { timeoutMs: 30 * 60_000, everyMs: 3_000 };
const rolledOut = /successfully rolled out/;

const namespaceOf = (region: string) => `sluice-${region.replaceAll(/[_/]/g, '-')}`;
/** What installs and upgrades. */
export interface Tool {
  /** the file of a release that it needs: its name there, and here */
  file: (version: string) => [string, string];
  install: (version: string) => string;
  upgrade: (version: string) => string;
  uninstall: (version: string) => string;
  /** namespaces that stay when it has removed what it installed */
  stay: readonly string[];
}

const ofRelease = '--namespace sluice-release';
export const helm: Tool = {
  file: (version) => [`sluice-${version}.tgz`, `sluice-${version}.tgz`],
  install: (version) =>
    `helm install sluice sluice-${version}.tgz ${ofRelease} --create-namespace --values values.yaml`,
  upgrade: (version) => `helm upgrade sluice sluice-${version}.tgz ${ofRelease} --values values.yaml`,
  uninstall: () => `helm uninstall sluice ${ofRelease}`,
  stay: ['sluice', 'sluice-data', ...regions.map(namespaceOf), 'sluice-release'],
};
export const manifest: Tool = {
  file: (version) => ['install.yaml', `install-${version}.yaml`],
  install: (version) => `kubectl apply -f install-${version}.yaml`,
  upgrade: (version) => `kubectl apply -f install-${version}.yaml`,
  uninstall: (version) => `kubectl delete -f install-${version}.yaml`,
  stay: [],
};

/** From here on changes are made with a version. */
export function use(day: Day, tool: Tool, version: string, among: readonly string[] = regions): void {
  day.way = { kind: 'release', apply: tool.upgrade(version), regions: among };
}

/** Takes what the tool needs of a release. */
async function take(day: Day, tool: Tool, version: string): Promise<void> {
  const [from, to] = tool.file(version);
  await day.run(`cp ${join(await releaseFolder(day, version), from)} ${to}`, {
    shown: `cp release-${version}/${from} ${to}`,
  });
}

export async function install(day: Day, tool: Tool): Promise<void> {
  const first = await firstVersion(day);
  await take(day, tool, first);
  if (tool === helm)
    await day.run(`tar -xOf sluice-${first}.tgz sluice/examples/one-machine.yaml > values.yaml`);
  await day.run(tool.install(first), { keep: [/^STATUS/, /^Sluice /] });
  use(day, tool, first);
  await day.defined('secrets', { keep: [/All Secrets/] });
  await day.block('kubernetes: Install (2)', {}, { keep: [rolledOut] });
  const output = await day.block('kubernetes: Install (3)');
  day.note(/^\{.*"api_key".*\}$/m.exec(output)?.[0].replace(/"svc_[^"]+"/, '"svc_…"') ?? '');
  const cluster = await day.cluster();
  await cluster.enter(output);
  day.note('A deployment in each region, by the public API: both run, and each has its 100 messages.');
}

export async function upgrade(day: Day, tool: Tool): Promise<void> {
  const [first, second] = await bothVersions(day);
  const cluster = await day.cluster();
  await take(day, tool, second);
  use(day, tool, first);
  await day.underLoad('the upgrade', async (load) => {
    await day.defined(
      `keys_image=$(jq -r '.images[] | select(.name == "admin").reference' ${await releaseFolder(day, second)}/release.json)\nsecrets --upgrading\nreload_nats`,
      {
        shown: `# upgrade: Upgrade\nkeys_image=…/sluice/admin@sha256:…\nsecrets --upgrading\nreload_nats`,
        keep: [/Reloaded server/],
      },
    );
    use(day, tool, second);
    await day.block('upgrade: Upgrade (3)', {}, { keep: [rolledOut, /^REVISION/] });
    load.during('the removal of former permissions');
    await day.block('upgrade: Upgrade (4)', {}, { keep: [/Reloaded server/] });
    load.during('the roll of nodes');
    await rolled(day, second);
    await day.block('upgrade: The roll of nodes', {}, { keep: [/^ *\d+ .*sluice\/node/] });
    await cluster.healthy();
  });
  day.note('Both deployments run with all their messages, and the audit log verifies.');
}

/** Waits until the nodes of all deployments have one image, and run. */
async function rolled(day: Day, version: string): Promise<void> {
  const { images: released } = await manifestOf(await releaseFolder(day, version));
  const image = released.find(({ name }) => name === 'node')?.reference ?? '';
  await eventually(async () => {
    const images = await day.kubectl(
      ...['get', 'pods', '-A', '-l', 'sluice.example/owner', '-o'],
      'jsonpath={range .items[*]}{.spec.containers[0].image}{"\\n"}{end}',
    );
    const different = new Set(images.split('\n'));
    if (!different.has(image) || different.size !== 1)
      throw new Error(`nodes have ${[...different].join(', ')}`);
  }, patience);
}

export async function addAndRemoveRegion(day: Day): Promise<void> {
  const version = await lastVersion(day);
  const cluster = await day.cluster();
  const name = `${third.cloud}/${third.region}`;
  const namespace = 'sluice-cloud-b-us-east4';
  const file = join(day.folder, 'values.yaml');
  const before = await readFile(file, 'utf8');
  use(day, helm, version);
  await day.underLoad('the third region is added', async (load) => {
    await writeFile(file, withRegion(before));
    day.note(`values.yaml: one more of regions, ${name} at the port ${third.port}`);
    await day.block('kubernetes: A new region', {}, { keep: [/^REVISION/, rolledOut] });
    await cluster.offers(third.cloud, third.region);
    await cluster.createsAndRemoves(third.cloud, third);
    day.note(`A deployment in ${name} was created, ran, and was deleted.`);
    load.during('the third region is removed');
    use(day, helm, version, [...regions, name]);
    await day.block('remove-a-region: Empty it', {}, { keep: [/takes no new/] });
    await day.block('remove-a-region: Empty it (2)', {}, { keep: [/^\(0 rows\)/, /^No resources/] });
    await writeFile(file, before);
    day.note('values.yaml: as before');
    await day.block('remove-a-region: Remove its supervisor', {}, { keep: [/^REVISION/, /is removed/] });
    await day.block('remove-a-region: Take its keys away', {}, { keep: [/All Secrets/, rolledOut] });
    await day.block('remove-a-region: Remove its database', {}, { keep: [/^DROP/] });
    use(day, helm, version);
    await cluster.healthy();
  });
  await day.run(`kubectl -n ${namespace} get deployments,services,pods`, { keep: [/./] });
  await day.run(`kubectl delete namespace ${namespace}`, { keep: [/./] });
}

function withRegion(text: string): string {
  const values = parse(text) as { regions: object[] };
  const { cloud, region, port } = third;
  values.regions.push({
    ...{ cloud, region, nodePort: port, publicUrl: `http://localhost:${port}` },
    agentApiUrl: 'http://supervisor.sluice-cloud-b-us-east4.svc',
  });
  return stringify(values);
}

export async function restore(day: Day): Promise<void> {
  const version = await lastVersion(day);
  use(day, helm, version);
  const cluster = await day.cluster();
  await day.block('backup-and-restore: Back up', {}, { keep: [/configured|created|serverside-applied/] });
  await cluster.prepareRestore();
  await day.block('backup-and-restore: Back up (2)', {}, { keep: [/\.dump\.age: /] });
  await cluster.changeAfterBackup();
  day.note('An API key that the dump has is deleted, and a division is made that it lacks.');
  await day.block('backup-and-restore: Restore one service (2)', {}, { keep: [/\.dump\.age/] });
  await day.block('backup-and-restore: Restore one service (3)', {}, { keep: [/\.dump\.age/, rolledOut] });
  await cluster.restored();
  day.note('The deleted key is refused, the division is lost, and the next one has another id.');
  await cluster.createsAndRemoves('cloud_b');
  await cluster.healthy();
  day.note(
    'A deployment was created and deleted; those from before run with all their messages, and the audit log verifies.',
  );
}

export async function uninstall(day: Day, tool: Tool): Promise<void> {
  const version = await lastVersion(day);
  const cluster = await day.cluster();
  await cluster.deleteAll();
  day.note('All deployments are deleted by the public API.');
  await take(day, tool, version);
  await day.run(tool.uninstall(version), { keep: [/uninstalled/] });
  if (tool.stay.length > 0)
    await day.run(`kubectl delete namespaces ${tool.stay.join(' ')}`, { keep: [/deleted/] });
  await eventually(async () => {
    const left = await leftOver(day);
    if (left !== '') throw new Error(left);
  }, patience);
  day.note('No namespace, role, admission policy or volume of it is left in the cluster.');
  await day.leaveCluster();
}

async function leftOver(day: Day): Promise<string> {
  const kinds = 'namespaces,clusterroles,clusterrolebindings,validatingadmissionpolicies,persistentvolumes';
  const names = await day.kubectl('get', kinds, '-o', 'name');
  const claims = await day.kubectl(
    'get',
    'persistentvolumes',
    '-o',
    'jsonpath={.items[*].spec.claimRef.namespace}',
  );
  return [
    ...names.split('\n').filter((name) => /sluice/.test(name)),
    ...claims.split(' ').filter((name) => /sluice/.test(name)),
  ].join(', ');
}
