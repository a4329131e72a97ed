import { getBillingInfo, replaceBillingInfo, type BillingInfo } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { edit as editDocument } from '../../editing.ts';
import type { View } from '@sluice/terminal/output';
import { inTenant, labelOf } from '../entries/entries.ts';

const view: View<BillingInfo> = {
  name: ({ company, name }) => company ?? name ?? '',
  columns: [],
  fields: (info) => Object.entries(info).map(([field, value]) => [labelOf(field), value] as const),
};

export async function show(cli: Cli): Promise<void> {
  await cli.output.item((await getBillingInfo(await inTenant(cli))).data, view);
}

const notes = ['null clears a field, as leaving it out does. The country has two letters, such as DE.'];

export async function edit(cli: Cli, { file }: { file?: string }): Promise<void> {
  const call = await inTenant(cli);
  const { data } = await getBillingInfo(call);
  const what = 'whom invoices are made out to';
  const done = await editDocument(cli, { what, value: { ...data }, notes, file }, (body) =>
    replaceBillingInfo({ ...call, body }),
  );
  if (done) await show(cli);
}
