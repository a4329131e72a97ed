import {
  createDivision,
  deleteDivision,
  getDivision,
  listDivisions,
  paginate,
  updateDivision,
  type Division,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { first, type DestroyFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { pathOf } from '@sluice/apply/place-path';
import { confirm, withCode } from '../../prompts.ts';
import { changesOf, textsOf, type EditFlags } from './edits.ts';
import { changedLabels, labelFilter, labelsOf, labelText, type LabelFlags } from './labels.ts';

const view: View<Division> = {
  name: ({ name }) => pathOf(name),
  empty: 'There is no division that you may see. Create one: sluice divisions create NAME',
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'DESCRIPTION', value: ({ description }) => description },
    { header: 'PROTECTED', value: (division) => division.protected },
    { header: 'LABELS', value: ({ labels }) => labelText(labels), wide: true },
    { header: 'EMAIL', value: ({ email }) => email, wide: true },
    { header: 'CREATED', value: ({ created_at }) => created_at, wide: true },
  ],
};

export async function list(cli: Cli, { limit, ...flags }: LabelFlags & { limit?: number }): Promise<void> {
  const { client, tenantId } = await cli.session();
  const path = { tenant_id: await tenantId() };
  const all = paginate(listDivisions, { client, path, query: labelFilter(flags), signal: cli.signal });
  await cli.output.list(first(all, limit), view);
}

export async function show(cli: Cli, at: string | undefined): Promise<void> {
  const { client, places } = await cli.session();
  const { data } = await getDivision({ client, path: await places.find('division', at), signal: cli.signal });
  await cli.output.item(data, view);
}

interface CreateFlags extends LabelFlags {
  description?: string;
  email?: string;
  emailSubdomain?: string;
}

export async function create(
  cli: Cli,
  name: string,
  { description, email, emailSubdomain, ...flags }: CreateFlags,
): Promise<void> {
  const { client, tenantId } = await cli.session();
  const texts = textsOf({ description, email, email_subdomain: emailSubdomain });
  const body = { name, ...texts, ...labelsOf(flags) };
  const { data } = await createDivision({ client, path: { tenant_id: await tenantId() }, body });
  await cli.output.item(data, view);
}

export async function edit(cli: Cli, at: string | undefined, flags: EditFlags): Promise<void> {
  const { client, places } = await cli.session();
  const body = changesOf(flags);
  const place = await places.find('division', at);
  const labels = await changedLabels(flags, () => getDivision({ client, path: place, signal: cli.signal }));
  await updateDivision({ client, path: place, ...labels, body: { ...body, ...labels.body } });
  cli.say(`The division ${place.path} is changed.`);
}

export async function destroy(cli: Cli, at: string, flags: DestroyFlags): Promise<void> {
  const { client, places } = await cli.session();
  const place = await places.find('division', at);
  const { tenant_id, division_id } = place;
  await confirm(cli, { what: `the division ${place.path} with its environments`, name: place.path }, flags);
  const about = { action: { action_type: 'delete_division' as const, payload: { tenant_id, division_id } } };
  await withCode(cli, { tenantId: tenant_id, about }, flags, (code) =>
    deleteDivision({ client, path: place, ...(code !== undefined && { query: { code } }) }),
  );
  cli.say(`The division ${place.path} is deleted.`);
}
