import { notFound, usageError } from '@sluice/terminal/errors';
import { changes, integer } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import type { Command } from 'commander';
import type { Admin } from '../admin.ts';
import { between, comingTime, gathered, listed, oneLine, type ListFlags } from '../arguments.ts';
import {
  decide,
  findMaintenance,
  listMaintenances,
  nodesOf,
  plan,
  type Maintenance,
  type PlannedNode,
} from '../maintenance.ts';

/** how long a maintenance can take: a week */
const mostMinutes = 10_080;
/** more in one call is no work on some machines */
const mostNodes = 500;

interface PlanFlags {
  node: number[];
  at: Date;
  minutes: number;
  reason?: string;
}

export default function maintenance(command: Command, admin: Admin): void {
  const add = (verb: string, description: string) => command.command(verb).description(description);
  const one = ['<id>', 'as the list has it', integer] as const;

  changes(add('plan', 'Tell tenants of work on machines, and stop the brokers there at that time'))
    .option('--node <id>', 'a node on such a machine; can be given several times', gathered, [])
    .requiredOption('--at <time>', 'when it begins, such as 2026-12-01T02:00:00Z, or now', comingTime)
    .option('--minutes <count>', 'how long it is expected to take', between(1, mostMinutes), 60)
    .option('--reason <text>', 'what tenants read of it', oneLine)
    .action(({ node, ...rest }: PlanFlags) => {
      const nodes = [...new Set(node)];
      if (nodes.length < 1 || nodes.length > mostNodes)
        throw usageError(`Say which: 1 to ${mostNodes} nodes, each as --node <id>.`);
      return admin.withDatabase(async (sql) => {
        const { id, text } = await plan(sql, { nodes, ...rest }, admin.isDry);
        admin.say(text);
        const planned = id !== undefined && !admin.output.isForPeople && (await findMaintenance(sql, id));
        if (planned) await admin.output.item(planned, view);
      });
    });

  listed(add('list', 'List what is planned, under way, or was')).action(({ after, limit }: ListFlags) =>
    admin.withDatabase(async (sql) => admin.output.list(await listMaintenances(sql, after, limit), view)),
  );

  add('show', 'Show a maintenance with its nodes, and what each waits for')
    .argument(...one)
    .action((id: number) =>
      admin.withDatabase(async (sql) => {
        const found = await findMaintenance(sql, id);
        if (!found) throw notFound(`There is no maintenance ${id}.`, 'sluice-admin maintenance list');
        const nodes = await nodesOf(sql, id);
        if (!admin.output.isForPeople) return await admin.output.item({ ...found, nodes }, { ...view });
        await admin.output.item(found, view);
        await admin.output.raw('\n');
        await admin.output.list(nodes, nodesView);
      }),
    );

  changes(add('end', 'Start the brokers that ran before'))
    .argument(...one)
    .action((id: number) => admin.change((sql) => decide(sql, id, 'end', admin.isDry)));

  changes(add('cancel', 'Call off one that has not begun'))
    .argument(...one)
    .action((id: number) => admin.change((sql) => decide(sql, id, 'cancel', admin.isDry)));

  command.addHelpText(
    'after',
    `
Of a cluster one node is stopped, once the others are well. The database is that of the region's supervisor.

Example:
  $ sluice-admin --service=supervisor-cloud-a-us-east-1 maintenance plan --node 7 --at now --reason 'A disk is replaced.'`,
  );
}

const countsOf = (nodes: Record<string, number>) =>
  Object.entries(nodes)
    .map(([status, count]) => `${count} ${status === 'new' ? 'not announced' : status}`)
    .join(', ') || 'no nodes';

const view: View<Omit<Maintenance, 'nodes'> & { nodes: unknown }> = {
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'STARTS', value: ({ starts_at }) => starts_at.toISOString() },
    { header: 'MINUTES', value: ({ minutes }) => minutes },
    { header: 'NODES', value: ({ nodes }) => countsOf(nodes as Record<string, number>) },
    { header: 'REASON', value: ({ reason }) => reason },
  ],
  name: ({ id }) => `${id}`,
  empty: 'There are none.',
};

const nodesView: View<PlannedNode> = {
  columns: [
    { header: 'TENANT', value: ({ tenant_id }) => tenant_id },
    { header: 'DEPLOYMENT', value: ({ deployment_id }) => deployment_id },
    { header: 'NODE', value: ({ node_id }) => node_id },
    { header: 'NAME', value: ({ name }) => name ?? 'gone' },
    { header: 'STATUS', value: ({ status }) => status },
    { header: 'WAITS FOR', value: ({ waits_for }) => waits_for },
  ],
  name: ({ node_id }) => `${node_id}`,
  empty: 'It has no nodes.',
};
