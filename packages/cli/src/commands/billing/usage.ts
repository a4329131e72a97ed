import {
  exportUsage,
  getCurrentCost,
  getDeploymentCost,
  getUsage,
  type CostParts,
  type CurrentCost,
  type ExportUsageData,
  type GetUsageData,
  type RegionBehind,
  type UsageLine,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { writeStream, type OutFlags } from '../../files.ts';
import type { View } from '@sluice/terminal/output';
import { inDeployment, inTenant, labelOf } from '../entries/entries.ts';

/** What parts of a price cost, as fields of an entry. */
export const partsOf = (parts: CostParts): (readonly [string, string])[] =>
  Object.entries(parts).map(([part, dollars]) => [labelOf(part), `$${dollars}`] as const);

const costView: View<CurrentCost> = {
  name: ({ total_usd: total }) => total,
  columns: [],
  fields: ({ from, to, total_usd: total, forecast_usd: forecast, breakdown }) => [
    ['From', from],
    ['To', to],
    ...partsOf(breakdown),
    ['Until now', `$${total}`],
    ['The month', `$${forecast}`],
  ],
};

async function showCost(cli: Cli, { data }: { data: CurrentCost }): Promise<void> {
  await cli.output.item(data, costView);
  sayBehind(cli, data.behind);
}

export async function current(cli: Cli): Promise<void> {
  await showCost(cli, await getCurrentCost(await inTenant(cli)));
}

export async function cost(cli: Cli, at: string | undefined): Promise<void> {
  await showCost(cli, await getDeploymentCost(await inDeployment(cli, at)));
}

interface RangeFlags {
  from?: Date;
  to?: Date;
}

const rangeOf = ({ from, to }: RangeFlags) => ({
  ...(from && { from: from.toISOString() }),
  ...(to && { to: to.toISOString() }),
});

type UsageQuery = NonNullable<GetUsageData['query']>;
type GroupBy = NonNullable<UsageQuery['group_by']>;

interface UsageFlags extends RangeFlags {
  granularity: NonNullable<UsageQuery['granularity']>;
  groupBy?: GroupBy;
  label?: string;
}

export async function usage(cli: Cli, flags: UsageFlags): Promise<void> {
  const { granularity, label } = flags;
  const groupBy = label === undefined ? flags.groupBy : 'label';
  const query = {
    ...rangeOf(flags),
    granularity,
    ...(groupBy && { group_by: groupBy }),
    ...(label !== undefined && { label }),
  };
  const { data } = await getUsage({ ...(await inTenant(cli)), query });
  await cli.output.list(data.lines, usageView(groupBy, label));
  sayBehind(cli, data.behind);
}

const usageView = (groupBy: GroupBy | undefined, label: string | undefined): View<UsageLine> => ({
  name: ({ about, from }) => (about ? String(about.id) : from),
  empty: 'Nothing was used.',
  columns: [
    { header: 'FROM', value: ({ from }) => from },
    { header: 'TO', value: ({ to }) => to, wide: true },
    ...(groupBy
      ? [
          {
            header: (label ?? groupBy).toUpperCase(),
            value: ({ about, component, label: value }: UsageLine) => about?.name ?? component ?? value,
          },
        ]
      : []),
    { header: 'HOURS', value: ({ seconds }) => (seconds / 3_600).toFixed(1) },
    { header: 'DOLLARS', value: ({ total_usd }) => total_usd },
    ...(['compute', 'storage', 'network', 'telemetry', 'data_retention'] as const).map((part) => ({
      header: labelOf(part).toUpperCase(),
      value: ({ breakdown }: UsageLine) => breakdown[`${part}_usd`],
      wide: true,
    })),
  ],
});

/** Says what an answer lacks, so that it is not taken for the whole. */
function sayBehind(cli: Cli, behind: readonly RegionBehind[]): void {
  for (const { cloud, region, usage_to: to } of behind)
    cli.say(
      `Usage of ${cloud}/${region} ${to === null ? 'is missing' : `after ${to} is missing`}: the region has not reported it yet.`,
    );
}

export async function exportLines(
  cli: Cli,
  {
    format,
    out,
    ...range
  }: OutFlags & RangeFlags & Required<Pick<NonNullable<ExportUsageData['query']>, 'format'>>,
): Promise<void> {
  const query = { ...rangeOf(range), format };
  const { data } = await exportUsage({ ...(await inTenant(cli)), query, parseAs: 'stream' });
  await writeStream(cli, data as unknown as AsyncIterable<Uint8Array>, 'The usage', out);
}
