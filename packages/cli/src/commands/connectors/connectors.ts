import {
  activateConnector,
  deleteConnectorInstance,
  listConnectorInstances,
  listConnectors,
  paginate,
  waitFor,
  SluiceError,
  type ActivatedConnector,
  type Connector,
  type ConnectorInstance,
  type ConnectorType,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes, notFound } from '@sluice/terminal/errors';
import type { WaitFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { inDeployment, verbsOf, type DeploymentCall } from '../entries/entries.ts';
import { withSteps } from '../entries/with-steps.ts';
import { textsOf } from '../places/edits.ts';

const view: View<ConnectorInstance | ActivatedConnector> = {
  name: ({ key }) => key,
  empty: 'There is no connector. sluice connectors catalogue shows which there can be.',
  columns: [
    { header: 'KEY', value: ({ key }) => key },
    {
      header: 'CONNECTOR',
      value: ({ connector_type, connector_key }) => `${connector_type}/${connector_key}`,
    },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'STATUS', value: ({ status }) => status },
    { header: 'REASON', value: ({ status_reason: reason }) => reason },
    { header: 'ID', value: ({ id }) => id },
    { header: 'CREATED', value: ({ created_at }) => created_at, wide: true },
  ],
};

export const connectors = verbsOf<DeploymentCall, ConnectorInstance>({
  noun: 'connectors',
  one: 'connector',
  at: inDeployment,
  read: listConnectorInstances,
  view,
  id: ({ id }) => id,
  name: ({ key }) => key,
  remove: ({ path, ...call }, instance_id) =>
    deleteConnectorInstance({ ...call, path: { ...path, instance_id } }),
});

const catalogueView: View<Connector> = {
  name: ({ type, key }) => `${type}/${key}`,
  columns: [
    { header: 'CONNECTOR', value: ({ type, key }) => `${type}/${key}` },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'AVAILABLE', value: ({ available }) => available },
    { header: 'PERMITTED', value: ({ permitted }) => permitted },
    { header: 'HERE', value: ({ instances }) => instances.map(({ key }) => key).join(', ') },
    { header: 'DESCRIPTION', value: ({ description }) => description },
  ],
};

/** The Main API has the catalogue. */
async function entriesOf(cli: Cli, at: string | undefined, type?: ConnectorType) {
  const { client, places } = await cli.session();
  const path = await places.find('deployment', at);
  const call = { client, path, signal: cli.signal };
  return { call, entries: paginate(listConnectors, { ...call, query: type ? { type } : {} }) };
}

export async function catalogue(
  cli: Cli,
  at: string | undefined,
  { type }: { type?: ConnectorType },
): Promise<void> {
  await cli.output.list((await entriesOf(cli, at, type)).entries, catalogueView);
}

export async function activate(
  cli: Cli,
  text: string,
  at: string | undefined,
  { name, key, ...flags }: WaitFlags & { name?: string; key?: string },
): Promise<void> {
  const { call, entries } = await entriesOf(cli, at);
  const found = [];
  for await (const entry of entries)
    if (text === entry.key || text === catalogueView.name(entry)) found.push(entry);
  const [one] = found;
  if (!one) throw notFound(`There is no connector ${JSON.stringify(text)}.`, 'sluice connectors catalogue');
  if (found.length > 1)
    throw new CliError({
      exitCode: exitCodes.usage,
      message: `${JSON.stringify(text)} is the key of several:`,
      details: found.map(catalogueView.name),
      next: 'write its type before it',
    });
  const body = {
    connector_key: one.key,
    connector_type: one.type,
    ...textsOf({ instance_name: name, instance_key: key }),
  };
  const { data } = await activateConnector({ ...call, body });
  const place = call.path.path;
  await cli.output.item(flags.wait ? await waitUntilKnown(cli, place, data, flags.timeout) : data, view);
  cli.say(`Configure it: sluice connectors configure ${data.key} ${place}`);
}

/** Until nodes have it: it is `inactive`, for want of a configuration. */
async function waitUntilKnown(cli: Cli, place: string, { id, key }: ActivatedConnector, timeoutMs: number) {
  const { client, path, signal } = await inDeployment(cli, place);
  return withSteps(cli, (steps) =>
    waitFor<ConnectorInstance | undefined>(
      async (look) => {
        const { data } = await listConnectorInstances({ ...look, path });
        return { data: data.find((instance) => instance.id === id) };
      },
      (instance) => {
        if (instance?.status !== 'failed') return instance !== undefined && instance.status !== 'pending';
        const detail = `The connector ${key} has failed: ${instance.status_reason ?? 'no reason is known'}.`;
        throw new SluiceError({ code: 'wait_failed', detail });
      },
      { client, signal, timeoutMs, onProgress: (instance) => steps.now(instance?.status ?? 'pending') },
    ),
  ).then((instance) => instance as ConnectorInstance);
}
