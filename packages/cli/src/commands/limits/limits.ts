import { listLimits, type Limit } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import type { View } from '@sluice/terminal/output';
import { inTenant } from '../entries/entries.ts';

const view: View<Limit> = {
  name: ({ name }) => name,
  columns: [
    { header: 'NAME', value: ({ name }) => name },
    { header: 'EACH', value: ({ scope }) => scope },
    { header: 'USED', value: ({ used }) => used },
    { header: 'LIMIT', value: ({ limit }) => limit },
  ],
};

export async function limits(cli: Cli, { scope }: { scope?: Limit['scope'] }): Promise<void> {
  const { data } = await listLimits(await inTenant(cli));
  await cli.output.list(
    data.filter((limit) => scope === undefined || limit.scope === scope),
    view,
  );
}
