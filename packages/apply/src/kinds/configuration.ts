import {
  activateConfig,
  createActivity,
  createConfig,
  deleteConfig,
  getConfig,
  listConfigVersions,
  listConfigsOfKind,
  SluiceError,
  waitFor,
  type Config,
} from '@sluice/client';
import { configFields, newestOf } from '../organization/deployment.ts';
import { deploymentOf } from './access-rule.ts';
import { requireUnchanged, same, type Existing, type Kind, type Run, type Wanted } from './kind.ts';

/** Configurations of the broker. */

const broker = 'broker';

const pathOf = (entry: { parent: string | null }, { ids }: Run) => ({
  deployment_id: ids.path(deploymentOf(entry)).deployment_id,
  config_kind: broker,
});

/** Stores values as the newest version. @returns its id */
async function store(
  wanted: Wanted,
  values: Record<string, unknown>,
  activate: boolean,
  run: Run,
): Promise<Config> {
  const { client, signal } = run;
  const body = { name: wanted.name, values, activate };
  return (await createConfig({ client, signal, path: pathOf(wanted, run), body })).data;
}

/** Has the nodes take up the active configuration, and waits until they have, or have refused it. */
async function reconfigure(wanted: Wanted, id: number, run: Run): Promise<void> {
  const { client, signal, timeoutMs } = run;
  const path = pathOf(wanted, run);
  const { deployment_id } = path;
  const action = `reconfigure:${id}`;
  await createActivity({ client, signal, path: { deployment_id, runtime: 'broker', action }, body: {} });
  await waitFor(
    ({ client: patient, signal: either }) =>
      getConfig({ client: patient, signal: either, path: { ...path, config_id: id } }),
    ({ in_force, rejection }) => {
      if (rejection)
        throw new SluiceError({
          code: 'wait_failed',
          detail: `The nodes have refused the configuration ${wanted.place}: ${rejection.reason}`,
        });
      return in_force;
    },
    { client, signal, timeoutMs },
  );
}

export const configuration: Kind = {
  required: ['values'],
  same: { values: same },
  create: {
    operation: () => 'createConfig',
    async send(wanted, run) {
      const isActive = wanted.fields['active'] === true;
      const values = wanted.fields['values'] as Record<string, unknown>;
      const { id } = await store(wanted, values, isActive, run);
      if (isActive) await reconfigure(wanted, id, run);
    },
  },
  updates: (wanted, existing, changed) => [
    {
      fields: [...changed],
      operation: changed.has('values') ? 'createConfig' : 'activateConfig',
      interrupts:
        existing.fields['active'] === true || wanted.fields['active'] === true
          ? 'The broker takes up the configuration; where a value needs a restart, clients connect again.'
          : undefined,
      async send(run) {
        await requireUnchanged(configuration, existing, run);
        const isActive = existing.fields['active'] === true || wanted.fields['active'] === true;
        const values = wanted.fields['values'] as Record<string, unknown>;
        const id = changed.has('values')
          ? (await store(wanted, values, isActive, run)).id
          : await activate(existing, run);
        if (isActive) await reconfigure(wanted, id, run);
      },
    },
  ],
  remove: {
    operation: () => 'deleteConfig',
    async send(existing, run) {
      await requireUnchanged(configuration, existing, run);
      const { client, signal } = run;
      const path = pathOf(existing, run);
      const { data: versions } = await listConfigVersions({
        client,
        signal,
        path: { ...path, config_name: existing.name },
      });
      for (const { id } of versions) await deleteConfig({ client, signal, path: { ...path, config_id: id } });
    },
  },
  async reread(existing, run) {
    const { client, signal } = run;
    const { data } = await listConfigsOfKind({ client, signal, path: pathOf(existing, run) });
    const found = newestOf(data).find(({ name }) => name === existing.name);
    return found && { fields: configFields(found) };
  },
};

async function activate(existing: Existing, run: Run): Promise<number> {
  const { client, signal } = run;
  const path = pathOf(existing, run);
  const { data } = await getConfig({ client, signal, path: { ...path, config_id: existing.id } });
  const named = { ...path, config_name: existing.name, version: String(data.version) };
  if (!data.primary) await activateConfig({ client, signal, path: named });
  return existing.id;
}
