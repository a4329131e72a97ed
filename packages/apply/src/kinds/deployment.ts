import {
  createByocDeployment,
  createManagedDeployment,
  deleteDeployment,
  extendDeployment,
  getDeployment,
  setRetention,
  setSpendLimit,
  updateDeployment,
  upgradeDeployment,
  waitForDeployment,
  type ByocDeploymentInput,
  type ManagedDeploymentInput,
  type Retention,
  type Storage,
  type UpgradeInput,
} from '@sluice/client';
import { keyOf } from '../entries.ts';
import { deploymentFields } from '../organization/deployment-fields.ts';
import {
  adopt,
  changedOf,
  covers,
  matching,
  requireUnchanged,
  type Existing,
  type Kind,
  type Run,
  type Update,
  type Wanted,
} from './kind.ts';
import { bodyOf, changesOf } from './places.ts';

const texts = ['description', 'labels', 'protected'];
const fixed = [
  ...['cloud', 'region', 'cluster', 'encrypted', 'dedicated', 'public_ip_enabled', 'availability_mode'],
  'target_network_tput',
  'byoc',
];
const created = [
  ...fixed.filter((field) => field !== 'byoc'),
  'tier',
  'labels',
  'protected',
  'storage',
  'retention',
  'spend_limit',
];

export const deployment: Kind = {
  fixed,
  required: ['cloud', 'region', 'tier'],
  // no answer shows the access to an account
  same: { storage: covers, byoc: (_wanted, existing) => existing !== undefined },
  create: {
    operation: ({ fields }) => ('byoc' in fields ? 'createByocDeployment' : 'createManagedDeployment'),
    async send(wanted, run) {
      const { client, signal, ids, set } = run;
      const path = ids.path(wanted.place.split('/').slice(0, 2).join('/'));
      const shape = { cluster: 'standalone', ...bodyOf(wanted, created, set), name: wanted.name };
      const { byoc, cloud } = wanted.fields;
      const call = { client, path, signal };
      const free = await run.slot();
      const creating = byoc
        ? createByocDeployment({ ...call, body: { ...shape, [String(cloud)]: byoc } as ByocDeploymentInput })
        : createManagedDeployment({ ...call, body: shape as ManagedDeploymentInput });
      const { data } = await creating.finally(free);
      ids.set(keyOf(wanted), data.id);
      const { description, nodes } = wanted.fields;
      const own = { client, signal, path: ids.path(wanted.place) };
      if (typeof description === 'string') await updateDeployment({ ...own, body: { description } });
      if (typeof nodes === 'number' && nodes > data.nodes_count) {
        await run.ready(wanted.place);
        await extendDeployment({ ...own, body: { nodes: [{ count: nodes - data.nodes_count }] } });
      }
    },
  },
  updates: (wanted, existing, changed) =>
    [
      changedTexts(wanted, existing, changed),
      simple('spend_limit', 'setSpendLimit', (run) =>
        setSpendLimit({
          ...callOf(existing, run),
          body: { spend_limit: wanted.fields['spend_limit'] as number | null },
        }),
      ),
      simple('retention', 'setRetention', (run) =>
        setRetention({
          ...callOf(existing, run),
          body: { retention: wanted.fields['retention'] as Retention },
        }),
      ),
      upgrade(wanted, existing, changed),
      extension(wanted, existing),
    ]
      .filter(({ fields }) => fields.some((field) => changed.has(field)))
      .map((update) => ({ ...update, send: guarded(existing, update) })),
  remove: {
    operation: () => 'deleteDeployment',
    interrupts: 'Its clients lose it, and what it stores is gone.',
    async send(existing, run) {
      await run.withCode(existing, (code) =>
        matching(deployment, existing, run, (headers) =>
          deleteDeployment({
            ...callOf(existing, run),
            headers,
            query: { ...(code !== undefined && { code }) },
          }),
        ),
      );
      const { client, signal, timeoutMs } = run;
      await waitForDeployment({ client, signal, timeoutMs, deployment_id: existing.id, until: 'gone' });
    },
  },
  async reread(existing, run) {
    const { data, response } = await getDeployment(callOf(existing, run));
    return { fields: deploymentFields(data), etag: response.headers.get('etag') ?? undefined };
  },
};

/** Only the first of several changes is of what was planned: each one makes another thing of it. */
const guarded =
  (existing: Existing, { send, operation }: Update) =>
  async (run: Run) => {
    if (operation !== 'updateDeployment') await requireUnchanged(deployment, existing, run);
    await send(run);
    await adopt(deployment, existing, run);
  };

function changedTexts(wanted: Wanted, existing: Existing, changed: ReadonlySet<string>): Update {
  const fields = changedOf(changed, texts);
  return {
    fields,
    operation: 'updateDeployment',
    send: (run) =>
      matching(deployment, existing, run, (headers) =>
        updateDeployment({ ...callOf(existing, run), headers, body: changesOf(wanted, existing, fields) }),
      ),
  };
}

const simple = (field: string, operation: string, send: Update['send']): Update => ({
  fields: [field],
  operation,
  send,
});

function upgrade(wanted: Wanted, existing: Existing, changed: ReadonlySet<string>): Update {
  const { tier, storage } = wanted.fields as { tier?: UpgradeInput['tier']; storage?: Partial<Storage> };
  const now = existing.fields['storage'] as Storage;
  const body: UpgradeInput = {
    ...(changed.has('tier') && tier && { tier }),
    ...(changed.has('storage') && storage?.size && { storage: { size: storage.size } }),
  };
  return {
    fields: ['tier', 'storage'],
    operation: 'upgradeDeployment',
    interrupts: 'Its nodes are replaced: clients are disconnected and connect again.',
    blocked:
      storage?.type !== undefined && storage.type !== now.type
        ? `The type of its storage stays ${now.type}.`
        : (storage?.size ?? Infinity) < (now.size ?? 0)
          ? `Its storage of ${now.size} GB never shrinks.`
          : undefined,
    async send(run) {
      await run.ready(existing.place);
      await upgradeDeployment({ ...callOf(existing, run), body });
    },
  };
}

function extension(wanted: Wanted, existing: Existing): Update {
  const [nodes, now] = [Number(wanted.fields['nodes'] ?? 0), Number(existing.fields['nodes'])];
  return {
    fields: ['nodes'],
    operation: 'extendDeployment',
    blocked: nodes < now ? `It has ${now} nodes, and nodes are only added.` : undefined,
    async send(run) {
      await run.ready(existing.place);
      await extendDeployment({ ...callOf(existing, run), body: { nodes: [{ count: nodes - now }] } });
    },
  };
}

const callOf = ({ place }: Existing, { client, signal, ids }: Run) => ({
  client,
  signal,
  path: ids.path(place),
});
