import { setTimeout as pause } from 'node:timers/promises';
import { eventually, startReplicas, type Layer, type ReplicatedStack } from '@sluice/testing';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { numberSetting, say, seedSetting } from '../long-run.ts';
import { seededRandom } from '../storm/random.ts';
import { giveIds, prepare } from './changes.ts';
import { backUpDatabase, patience, restoreDatabase, World, type Target } from './world.ts';

/**
 * Restores each database, NATS, and main-api's database while NATS loses everything, to before a random mix of changes, and judges from outside: no removed right works at any time, no id
 * is given out twice, both layers agree, and the audit log is complete and verifies. Exit code 1 when something does not hold.
 *
 * `RESTORES_SEED`, `RESTORES_TARGETS` (default: all, separated by commas), `RESTORES_CHANGES` (how many of the changes; default: all).
 */
const allTargets: Target[] = ['main-api', 'main-api-without-nats', 'supervisor', 'audit', 'notifier', 'nats'];
const targets = (process.env['RESTORES_TARGETS']?.split(',') ?? allTargets) as Target[];
const seed = seedSetting('RESTORES_SEED');
const random = seededRandom(seed);

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);
}

async function backUp(stack: ReplicatedStack, target: Target): Promise<void> {
  if (target === 'nats') {
    await stack.nats.backUp();
    return await ready(stack);
  }
  await backUpDatabase(stack, layerOf(target));
}

const layerOf = (target: Exclude<Target, 'nats'>): Layer =>
  target === 'main-api-without-nats' ? 'main-api' : target;

async function restore(stack: ReplicatedStack, target: Target): Promise<void> {
  if (target === 'nats') return await stack.nats.restore('backup');
  const loses = target === 'main-api-without-nats';
  await restoreDatabase(stack, layerOf(target), async () => {
    if (loses) await stack.nats.restore('nothing');
  });
}

/**
 * Nothing in NATS tells of keys and members: all keys are frozen until an operator has compared with the audit log, and applied what is
 * left. Of a key that was made since the token is not known, and of a role that was made what it grants.
 */
async function decideWithoutNats(world: World): Promise<void> {
  await world.refused(world.stack.api_key, 'credential_frozen');
  const kinds = (await world.differences()).map(({ kind }) => kind);
  if (!kinds.includes('events_lost') || !kinds.includes('key_unjudged'))
    throw new Error(`the review lists ${kinds.join()} only`);
  say(`  ${(await world.admin('audit-log')).replaceAll('\n', ' ')}`);
  const unknown = (await world.differences()).filter(
    ({ kind }) => kind === 'key_made' || kind === 'role_made',
  );
  if (unknown.length > 0) await world.admin('reject', ...unknown.map(({ id }) => String(id)));
  await world.admin('apply', '--all');
  await world.refused(world.stack.api_key, null);
}

/** Waits until every replica is ready: a change is answered then, and not only stored. */
async function ready(stack: ReplicatedStack): Promise<void> {
  for (const { url } of stack.replicas)
    await eventually(
      async () => {
        const { status } = await fetch(`${url}/readyz`);
        if (status !== 200) throw new Error(`${url} is not ready: ${status}`);
      },
      { timeoutMs: patience, everyMs: 250 },
    );
}

/** Tries all removed rights, again and again. @returns ends it, and says which worked */
function watchRights({ removedRights }: World): () => Promise<string[]> {
  const worked = new Set<string>();
  const ended = new AbortController();
  const watching = (async () => {
    while (!ended.signal.aborted) {
      for (const { name, succeeds } of removedRights)
        if (await succeeds().catch(() => false)) worked.add(`${name} worked`);
      await pause(20);
    }
  })();
  return async () => {
    ended.abort();
    await watching;
    return [...worked];
  };
}

/** Entries for all changes that were acknowledged, and a chain that holds and agrees with all heads that were published. */
async function auditGaps(world: World): Promise<void> {
  await eventually(
    async () => {
      const { body } = await world.api('audit').get(`/audit${world.tenant}/verify`);
      const { agreed } = body['published_heads'] as { agreed: number };
      if (body['intact'] !== true || agreed === 0) throw new Error(`verify says ${JSON.stringify(body)}`);
      for (const { type, correlation } of world.acknowledged) {
        const path = `/audit${world.tenant}?results=10&correlation_id=${correlation}`;
        const { status, body: page } = await world.api('audit').get<{ items: { type: string }[] }>(path);
        if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(page)}`);
        const found = page.items.filter((entry) => entry.type === type).length;
        if (found !== 1) throw new Error(`${found} entries ${type} of the request ${correlation}`);
      }
    },
    { timeoutMs: patience, everyMs: 1_000 },
  );
}

/** @returns what does not hold */
async function judge(world: World): Promise<string[]> {
  const wrong: string[] = [];
  const claim = (name: string, check: () => Promise<void>) =>
    check().catch((error: unknown) => wrong.push(`${name}: ${String(error)}`));
  for (const { name, check } of world.claims) await claim(name, check);
  await claim('ids', async () => await giveIds(world, await world.addDeployment()));
  await claim('the audit log', () => auditGaps(world));
  return wrong;
}

async function run(target: Target, folder: string): Promise<string[]> {
  const stack = await startReplicas(1, {
    layers: ['main-api', 'supervisor', 'audit', 'notifier'],
    keepLogs: true,
    patience,
    environment: {
      ...{ INVENTORY_SECONDS: '1', UNKNOWN_DEPLOYMENT_SECONDS: '20', ORPHANED_NODE_SECONDS: '20' },
      ...{ GRANT_LEASE_SECONDS: '10', BACKUPS_DIR: join(folder, 'backups') },
      // with which the log is compared, also after a restore of its database
      ...{ AUDIT_HEADS_DIR: join(folder, 'heads'), AUDIT_HEADS_MINUTES: '0.05' },
    },
  });
  try {
    const world = new World(stack, target);
    const division = `${world.tenant}/divisions/${stack.division_id}`;
    const made = await world.change('main-api', 'POST', `${division}/environments`, () => ({
      name: 'restores',
    }));
    world.environment = `${division}/environments/${String(made.body['id'])}`;
    const changes = shuffled(Object.entries(await prepare(world)));
    const some = changes.slice(0, numberSetting('RESTORES_CHANGES', changes.length));
    await backUp(stack, target);
    const rights = watchRights(world);
    for (const [name, change] of some) {
      say(`  ${name}`);
      await change();
    }
    // what audit has not read yet is lost with NATS
    if (target === 'main-api-without-nats') await auditGaps(world);
    say(`  ${target} is restored`);
    await restore(stack, target);
    if (target === 'main-api-without-nats') await decideWithoutNats(world);
    const wrong = await judge(world);
    return [...(await rights()), ...wrong];
  } finally {
    await stack.remove();
  }
}

say(`seed ${seed}`);
let failures = 0;
for (const target of targets) {
  say(`${target}: before a restore`);
  const folder = await mkdtemp(join(tmpdir(), 'sluice-restores-'));
  await mkdir(join(folder, 'backups'));
  const wrong = await run(target, folder).catch((error: unknown) => [inspect(error)]);
  await rm(folder, { recursive: true, force: true });
  for (const line of wrong) console.log(`- ${target}: ${line}`);
  say(`${target}: ${wrong.length} things wrong`);
  failures += wrong.length;
}
process.exit(failures === 0 ? 0 : 1);
