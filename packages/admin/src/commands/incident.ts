import { changes, integer } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { Option, type Command } from 'commander';
import type { Admin } from '../admin.ts';
import { ageOf } from '../age.ts';
import { listed, oneLine, paragraph, places, type ListFlags, type Place } from '../arguments.ts';
import { changeIncident, listIncidents, openIncident, type Impact, type Incident } from '../incidents.ts';

const ofMainApi = 'main-api';

interface OpenFlags {
  impact: Impact;
  region: Place[];
  message: string;
}
interface ChangeFlags {
  impact?: Impact;
  message: string;
}

export default function incident(command: Command, admin: Admin): void {
  const add = (verb: string, description: string) => command.command(verb).description(description);
  const one = ['<id>', 'as the list has it', integer] as const;
  const impact = () =>
    new Option('--impact <impact>', 'whether it does not work, or not as it should').choices([
      'degraded',
      'outage',
    ]);
  const message = ['--message <text>', 'what everybody reads', paragraph] as const;
  const change = (kind: 'updated' | 'resolved', id: number, flags: ChangeFlags) =>
    admin.withDatabase(
      async (sql) => admin.say(await changeIncident(sql, id, kind, flags, admin.isDry)),
      ofMainApi,
    );

  changes(add('open', 'Tell everybody of a failure, on the public page of the status'))
    .argument('<title>', 'one line', oneLine)
    .addOption(impact().default('degraded'))
    .option(
      '--region <region>',
      'that it is about; can be given several times, without it is about all',
      places,
      [],
    )
    .requiredOption(...message)
    .action((title: string, { region: regions, ...flags }: OpenFlags) =>
      admin.withDatabase(
        async (sql) => admin.say(await openIncident(sql, { title, regions, ...flags }, admin.isDry)),
        ofMainApi,
      ),
    );

  changes(add('update', 'Say more of an open incident'))
    .argument(...one)
    .requiredOption(...message)
    .addOption(impact())
    .action((id: number, flags: ChangeFlags) => change('updated', id, flags));

  changes(add('resolve', 'Say that an incident is over'))
    .argument(...one)
    .requiredOption(...message)
    .action((id: number, flags: ChangeFlags) => change('resolved', id, flags));

  listed(add('list', 'List all incidents, oldest first')).action(({ after, limit }: ListFlags) =>
    admin.withDatabase(
      async (sql) => admin.output.list(await listIncidents(sql, after, limit), view),
      ofMainApi,
    ),
  );

  command.addHelpText(
    'after',
    `
Each tenant with deployments there has it in its audit log.

Example:
  $ sluice-admin incident open 'Slow creations' --region cloud_a/us-east-1 --message 'Deployments take longer to be ready.'`,
  );
}

const view: View<Incident> = {
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'STATUS', value: ({ resolved_at }) => (resolved_at ? 'resolved' : 'open') },
    { header: 'IMPACT', value: ({ impact }) => impact },
    { header: 'REGIONS', value: ({ regions }) => regions.join(', ') || 'all' },
    { header: 'OPENED', value: ({ opened_at }) => `${ageOf(opened_at)} ago` },
    { header: 'UPDATED', value: ({ updated_at }) => `${ageOf(updated_at)} ago` },
    { header: 'TITLE', value: ({ title }) => title },
  ],
  name: ({ id }) => `${id}`,
  empty: 'There are none.',
};
