import { changes } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import type { Command } from 'commander';
import type { Admin } from '../admin.ts';
import { ageOf } from '../age.ts';
import { oneLine, region as regionOf, type Place } from '../arguments.ts';
import { changeRegion, listRegions, nameOf, type Region, type RegionChange } from '../regions.ts';

const ofMainApi = 'main-api';

export default function region(command: Command, admin: Admin): void {
  const add = (verb: string, description: string) => command.command(verb).description(description);
  const one = ['<region>', 'such as cloud_a/us-east-1', regionOf] as const;
  const change = (action: RegionChange, place: Place, reason?: string) =>
    admin.change((sql) => changeRegion(sql, action, place, { reason, isDry: admin.isDry }), ofMainApi);

  add('list', 'List the regions that have registered, and how many deployments each has').action(() =>
    admin.withDatabase(async (sql) => admin.output.list(await listRegions(sql), view), ofMainApi),
  );

  changes(add('drain', 'Have no deployments created there any more; those there continue'))
    .argument(...one)
    .option('--reason <text>', 'what tenants read of it', oneLine)
    .action((place: Place, { reason }: { reason?: string }) => change('drain', place, reason));

  changes(add('undrain', 'Have deployments created there again'))
    .argument(...one)
    .action((place: Place) => change('undrain', place));

  changes(add('remove', 'Forget a drained region without deployments, whose supervisor was removed'))
    .argument(...one)
    .action((place: Place) => change('remove', place));

  command.addHelpText(
    'after',
    `
Examples:
  $ sluice-admin region list -o json --query "[?drained_at].region"
  $ sluice-admin region drain cloud_a/us-east-1 --reason 'The site is closed: use us-west-2.'`,
  );
}

const view: View<Region> = {
  columns: [
    { header: 'REGION', value: nameOf },
    { header: 'STATUS', value: ({ drained_at }) => (drained_at ? 'drained' : 'open') },
    { header: 'DEPLOYMENTS', value: ({ deployments }) => deployments },
    { header: 'REGISTERED', value: ({ registered_at }) => `${ageOf(registered_at)} ago` },
    { header: 'SUPERVISOR', value: ({ supervisor_url }) => supervisor_url },
    { header: 'REASON', value: ({ drain_reason }) => drain_reason },
  ],
  name: nameOf,
  empty: 'There are none.',
};
