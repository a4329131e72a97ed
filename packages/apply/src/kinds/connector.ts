import {
  activateConnector,
  createConfig,
  deleteConnectorInstance,
  listConfigsOfKind,
  listConnectorInstances,
  waitFor,
  type ConnectorActivation,
  type ConnectorInstance,
} from '@sluice/client';
import { deploymentOf } from './access-rule.ts';
import { requireUnchanged, same, type Kind, type Run, type Wanted } from './kind.ts';

/** Instances of connectors, with their configuration. */

const callOf = (entry: { parent: string | null }, { client, signal, ids }: Run) => ({
  client,
  signal,
  path: { deployment_id: ids.path(deploymentOf(entry)).deployment_id },
});

const kindOf = ({ connector_type: type, key }: Pick<ConnectorInstance, 'connector_type' | 'key'>) =>
  `connector:${type}:${key}`;

async function configure(wanted: Wanted, type: 'sink' | 'source', run: Run): Promise<void> {
  const call = callOf(wanted, run);
  const config_kind = kindOf({ connector_type: type, key: wanted.name });
  const values = wanted.fields['values'] as Record<string, unknown>;
  await createConfig({ ...call, path: { ...call.path, config_kind }, body: { values, activate: true } });
}

export const connector: Kind = {
  fixed: ['connector', 'type', 'name'],
  required: ['connector', 'type'],
  same: { values: same },
  create: {
    operation: () => 'activateConnector',
    async send(wanted, run) {
      const { client, signal, ids, timeoutMs } = run;
      const place = deploymentOf(wanted);
      const {
        connector: key,
        type,
        name,
        values,
      } = wanted.fields as {
        connector: string;
        type: ConnectorActivation['connector_type'];
        name?: string;
        values?: object;
      };
      const body = {
        connector_key: key,
        connector_type: type,
        instance_key: wanted.name,
        instance_name: name ?? null,
      };
      await activateConnector({ client, signal, path: ids.path(place), body });
      if (!values) return;
      // the region hears of it from the Main API
      await waitFor(
        (look) =>
          listConnectorInstances({ ...callOf(wanted, run), client: look.client, signal: look.signal }),
        (instances) => instances.some((one) => one.key === wanted.name),
        { client, signal, timeoutMs },
      );
      await configure(wanted, type, run);
    },
  },
  updates: (wanted, existing, changed) => [
    {
      fields: [...changed],
      operation: 'createConfig',
      async send(run) {
        await requireUnchanged(connector, existing, run);
        await configure(wanted, existing.fields['type'] as 'sink' | 'source', run);
      },
    },
  ],
  remove: {
    operation: () => 'deleteConnectorInstance',
    interrupts: 'It stops; what it has not sent stays in the broker.',
    async send(existing, run) {
      await requireUnchanged(connector, existing, run);
      const call = callOf(existing, run);
      await deleteConnectorInstance({ ...call, path: { ...call.path, instance_id: existing.id } });
    },
  },
  async reread(existing, run) {
    const call = callOf(existing, run);
    const instance = (await listConnectorInstances(call)).data.find(({ id }) => id === existing.id);
    if (!instance) return undefined;
    const { data } = await listConfigsOfKind({
      ...call,
      path: { ...call.path, config_kind: kindOf(instance) },
    });
    const { name, connector_key, connector_type } = instance;
    const config = data.find(({ primary }) => primary);
    const fields = {
      connector: connector_key,
      type: connector_type,
      name,
      ...(config && { values: config.values }),
    };
    return { fields };
  },
};
