import { acceptDataLoss, getDeploymentAtSupervisor, type Node } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import type { DestroyFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { confirm } from '../../prompts.ts';
import { capital, inDeployment, verbsOf, type DeploymentCall } from '../entries/entries.ts';

const view: View<Node> = {
  name: ({ id }) => String(id),
  empty: 'There is no node yet.',
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'STATUS', value: ({ status }) => status },
    {
      header: 'PROGRAMS',
      value: ({ runtimes }) => runtimes.map(({ runtime, status }) => `${runtime} ${status}`).join(', '),
    },
    { header: 'LEADER', value: ({ leader }) => leader },
    { header: 'HEARTBEAT', value: ({ last_heartbeat_at }) => last_heartbeat_at },
    { header: 'ADDRESS', value: ({ public_ip, private_ip }) => public_ip ?? private_ip, wide: true },
    { header: 'STORAGE', value: ({ storage_type }) => storage_type, wide: true },
    { header: 'AGENT', value: ({ agent_version }) => agent_version, wide: true },
  ],
  fields: ({ id, name, status, runtimes, machine, endpoints, ...node }) => [
    ['Id', id],
    ['Name', name],
    ['Status', status],
    ...runtimes.map(
      ({ runtime, status: its, version }) =>
        [capital(runtime), `${its}, ${version ?? 'no version'}`] as const,
    ),
    ['Leader', node.leader],
    ['Public address', node.public_ip],
    ['Private address', node.private_ip],
    ...Object.entries(endpoints).map(
      ([protocol, address]) => [capital(protocol.replaceAll('_', ' ')), address] as const,
    ),
    ['Storage', node.storage_type],
    ['Agent', node.agent_version],
    ['Heartbeat', node.last_heartbeat_at],
    ...Object.entries(machine ?? {}).map(
      ([what, value]) => [`Machine, ${what.replaceAll('_', ' ')}`, value] as const,
    ),
  ],
};

export const nodes = verbsOf<DeploymentCall, Node>({
  noun: 'nodes',
  one: 'node',
  at: inDeployment,
  read: async (call) => ({ data: (await getDeploymentAtSupervisor(call)).data.nodes }),
  view,
  id: ({ id }) => id,
  name: ({ name }) => name,
});

export async function acceptLoss(
  cli: Cli,
  text: string,
  at: string | undefined,
  flags: DestroyFlags,
): Promise<void> {
  const { call, id, item, title } = await nodes.find(cli, text, at);
  await confirm(cli, { what: `for good what ${title} has stored`, name: item.name }, flags);
  await acceptDataLoss({ ...call, path: { ...call.path, node_id: id } });
  cli.say(capital(`${title} starts empty. sluice deployments wait ${call.path.path}`));
}
