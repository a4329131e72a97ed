import { spawnSync } from 'node:child_process';
import { existsSync, type Dirent } from 'node:fs';
import { glob, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { repository, testFolder } from '@sluice/testing';
import type { KubernetesObject } from '@sluice/infra/kubernetes/objects';
import { readAlerts } from '../observability-files.ts';
import { proseOf, readBlocks, readDocuments, type Block } from './blocks.ts';
import { clusterSteps } from './cluster-steps.ts';
import { installedObjects, Names } from './names.ts';
import { openRehearsal } from './rehearsal.ts';
import { commandsOf, isDefinition, scriptOf } from './scripts.ts';
import { stackSteps } from './steps.ts';

/**
 * Every command of the runbooks: `npm run runbooks` runs all of them on a cluster, `observability.test.ts` runs those that need none on a stack.
 * Here all but kubectl is run, and what kubectl would be called with is compared with the manifests.
 */

let blocks: Block[];
let objects: KubernetesObject[] | undefined;
beforeAll(async () => {
  [blocks, objects] = await Promise.all([readBlocks(), installedObjects()]);
  if (!objects) console.warn('what kubectl is called with is not looked at: there is no kubectl on PATH');
});

test('each block of a runbook is run: on the cluster, and where it needs none on a stack', () => {
  const names = commandsOf(blocks).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(50);
  expect([...new Set(clusterSteps.map(({ block }) => block))].sort()).toEqual(names.sort());
  expect(names).toEqual(expect.arrayContaining(stackSteps.map(({ block }) => block)));
});

test('each command stands in a block that is known', () => {
  const languages = new Set(blocks.map(({ language }) => language));
  expect([...languages].sort()).toEqual(['', 'promql', 'sh']);
  const output = blocks.filter(({ language }) => language === '');
  const command = /^\s*(\$|kubectl|npm|node|curl|docker|psql|openssl)\s/m;
  expect(output.filter(({ text }) => command.test(text)).map(({ name }) => name)).toEqual([]);
});

test('no command stands in prose, where no test runs it', async () => {
  const found = await spans();
  const commands = found.filter(({ text }) =>
    /^(kubectl|npm run|node|curl|docker|psql|nats-server|sluice-admin|SELECT|UPDATE|ALTER|CREATE) [^…]/.test(
      text,
    ),
  );
  expect(commands.map(({ document, text }) => `${document}: ${text}`)).toEqual([]);
});

test('all blocks but kubectl run, and what kubectl is called with is there', async () => {
  const rehearsal = await openRehearsal(await testFolder());
  const names = objects && new Names(objects, rehearsal.checkout);
  const faults: string[] = [];
  for (const { block: name, values = {} } of clusterSteps) {
    const block = blocks.find((one) => one.name === name);
    // a stack has no admin pod
    const isRunOnStack =
      stackSteps.some((step) => step.block === name) && !/^admin /m.test(block?.text ?? '');
    if (!block || isRunOnStack) continue;
    const filledIn = Object.fromEntries(
      Object.entries(values).map(([variable, value]) => [variable, typeof value === 'string' ? value : '1']),
    );
    const calls = await rehearsal.rehearse(scriptOf(block, blocks, filledIn)).catch((error: Error) => {
      faults.push(`${name}: ${error.message}`);
      return [];
    });
    for (const call of calls) names?.note(call);
    for (const call of calls)
      faults.push(...((await names?.faultsOf(call)) ?? []).map((fault) => `${name}: ${fault}`));
  }
  expect(faults).toEqual([]);
  const keys = join(rehearsal.home, 'sluice-secrets/secrets');
  const open: string[] = [];
  for (const file of await readdir(keys)) {
    const { mode } = await stat(join(keys, file));
    if ((mode & 0o077) !== 0) open.push(file);
  }
  // also those that were written anew
  expect(open).toEqual([]);
}, 120_000);

test.each([
  ['kubectl -n sluice rollout restart deployment/billing', 'no deployment/billing in sluice'],
  ['kubectl -n sluice-moon get pods', 'no namespace sluice-moon'],
  [
    'kubectl -n sluice exec deployment/audit -- node program/src/reseal-all.ts',
    'no program/src/reseal-all.ts in sluice/audit:dev',
  ],
  [
    'kubectl -n sluice exec deployment/audit -- cat /etc/sluice/secrets/PROTECTION_KEY',
    'no /etc/sluice/secrets/PROTECTION_KEY in sluice/audit:dev',
  ],
  [
    'kubectl -n sluice get pods -l app.kubernetes.io/name=billing',
    'no pod app.kubernetes.io/name=billing in sluice',
  ],
  ['kubectl -n sluice-data exec nats-3 -- true', 'no nats-3 in sluice-data'],
  ['kubectl -n sluice-data delete pvc store-nats-0', 'no store-nats-0 in sluice-data'],
  ['kubectl -n sluice-data exec postgresql-0 -c server -- true', 'no container server in postgresql-0'],
  [
    'kubectl -n sluice exec deployment/admin -- sluice-admins outbox list',
    'no sluice-admins in sluice/admin:dev',
  ],
  [
    'kubectl -n sluice exec deployment/admin -- sluice-admin --service=billing outbox list',
    'no DATABASE_URL.billing in sluice/admin:dev',
  ],
  [
    'kubectl -n sluice exec deployment/admin -- sluice-admin region close cloud_a/us-east-1',
    "no sluice-admin region close cloud_a/us-east-1 (Error: Unknown command 'close') in sluice/admin:dev",
  ],
  ['kubectl apply -k k8s/overlays/control', 'no manifests k8s/overlays/control'],
  ['npm run billing-keys', 'there is no script billing-keys'],
])('a renamed thing is found: %s', async (command, fault) => {
  if (!objects) return;
  const [program = '', ...args] = command.split(' ');
  const found = await new Names(objects, repository).faultsOf({ program, args, input: '' });
  expect(found).toEqual([`${command}: ${fault}`]);
});

/** What is no task: how it is installed, what an alert says, what is to be watched. */
const otherPages = ['alerts', 'kubernetes', 'monitoring', 'tls-edge'];

test("each operator's task has a page with commands that are run, and tests that are there", async () => {
  const operations = await readFile(join(repository, 'docs/operations.md'), 'utf8');
  const [, section = ''] = /^## Operator's tasks$([^]*?)^## /m.exec(operations) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && line.includes(']('));
  expect(rows.length).toBeGreaterThan(10);
  const run = new Set(clusterSteps.map(({ block }) => block.split(':')[0]));
  const listed = new Set<string>();
  for (const row of rows) {
    const [, , pages = '', tests = ''] = row.split('|');
    const documents = [...pages.matchAll(/\(operations\/([\w-]+)\.md/g)].map(([, document = '']) => document);
    expect([row, documents.length > 0 && documents.every((document) => run.has(document))]).toEqual([
      row,
      true,
    ]);
    for (const document of documents) listed.add(document);
    const files = [...tests.matchAll(/\(\.\.\/([^)]+)\)/g)].map(([, file = '']) => file);
    expect([row, files.length > 0 && files.every((file) => existsSync(join(repository, file)))]).toEqual([
      row,
      true,
    ]);
  }
  const all = [...(await readDocuments()).keys()].filter((document) => !otherPages.includes(document));
  expect(all.filter((document) => !listed.has(document))).toEqual([]);
});

test('definitions can be read by bash', () => {
  for (const { name, text } of blocks.filter(isDefinition))
    expect([name, spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' }).stderr]).toEqual([name, '']);
});

/** What belongs to Kubernetes, to NATS, to PostgreSQL or to a cloud, and stands in no source of ours. */
const ofOthers: readonly string[] = [
  'NoSchedule',
  'volumeBindingMode: WaitForFirstConsumer',
  'snapshot.storage.kubernetes.io/is-default-class: "true"',
  'deletionPolicy',
  'password authentication failed',
  'authentication error',
  'authentication error - User "routes"',
  'pg_upgrade',
  'allowVolumeExpansion',
  'scrapeConfigSelector',
  'jetstream/$G',
  'jetstream/SLUICE',
  // of Stripe
  '/billing/webhooks/stripe',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_method.automatically_updated',
  'payment_method.detached',
];

test('what runbooks name in code font stands in the sources', async () => {
  const sources = await corpus();
  const alerts = (await readAlerts()).map(({ alert }) => alert);
  const unknown = (await spans()).filter(
    ({ text }) =>
      !alerts.includes(text) &&
      !ofOthers.includes(text) &&
      text.split(/<[^>]+>|…|[*=]/).some((part) => part.trim() !== '' && !sources.includes(part.trim())),
  );
  expect(unknown.map(({ document, text }) => `${document}: ${text}`)).toEqual([]);
});

/** What stands in code font between the blocks. */
async function spans(): Promise<{ document: string; text: string }[]> {
  return [...(await readDocuments())].flatMap(([document, text]) =>
    [...proseOf(text).matchAll(/`([^`]+)`/g)].map(([, span = '']) => ({ document, text: span })),
  );
}

/** The sources and manifests as one text, and the definitions of the runbooks themselves. */
async function corpus(): Promise<string> {
  const texts = [await readFile(join(repository, 'package.json'), 'utf8')];
  const exclude = ({ name }: Dirent) => ['node_modules', '.cache', 'dist'].includes(name);
  for await (const file of glob('{services,packages,infra,k8s}/**/*', {
    cwd: repository,
    exclude,
    withFileTypes: true,
  })) {
    texts.push(relative(repository, join(file.parentPath, file.name)));
    if (!file.isFile() || !/\.(ts|yaml|sql|sh|conf|json)$/.test(file.name) || /\.test\.ts$/.test(file.name))
      continue;
    texts.push(await readFile(join(file.parentPath, file.name), 'utf8'));
  }
  return [...texts, ...blocks.filter(isDefinition).map(({ text }) => text)].join('\n');
}
