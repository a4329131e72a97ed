import {
  createTenant,
  deleteTenant,
  getTenant,
  leaveTenant,
  listOwnTenants,
  paginate,
  updateTenant,
  type OwnTenant,
  type Tenant,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import type { DestroyFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { confirm, withCode } from '../../prompts.ts';
import { changesOf, textsOf, type EditFlags } from './edits.ts';

const listView: View<OwnTenant | Tenant> = {
  name: ({ id }) => String(id),
  empty: 'You are a member of no tenant.',
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'OWNER', value: (one) => ('owner' in one ? one.owner : null) },
    { header: 'EMAIL', value: ({ email }) => email },
    { header: 'CREATED', value: ({ created_at }) => created_at, wide: true },
  ],
};

const detailView: View<Tenant> = {
  name: ({ id }) => String(id),
  columns: [],
  fields: ({ id, name, description, email, subscription, created_at, ...tenant }) => [
    ['Id', id],
    ['Name', name],
    ['Description', description],
    ['Email', email],
    ['Plan', subscription.plan],
    ['Protected', tenant.protected],
    ['Payment method', tenant.has_payment_method],
    ['Created', created_at],
  ],
};

export async function list(cli: Cli): Promise<void> {
  const { client, who, tenantId } = await cli.session();
  const signal = cli.signal;
  if (!(await who())?.tenant) return cli.output.list(paginate(listOwnTenants, { client, signal }), listView);
  const { data } = await getTenant({ client, path: { tenant_id: await tenantId() }, signal });
  await cli.output.list([data], listView);
}

export async function show(cli: Cli): Promise<void> {
  const { client, tenantId } = await cli.session();
  const { data } = await getTenant({ client, path: { tenant_id: await tenantId() }, signal: cli.signal });
  await cli.output.item(data, detailView);
}

export async function create(
  cli: Cli,
  name: string,
  { description, email, division }: { description?: string; email?: string; division?: string },
): Promise<void> {
  const { client } = await cli.session();
  const { data } = await createTenant({
    client,
    body: { name, ...textsOf({ description, email, division }) },
  });
  await cli.output.item(data, listView);
}

export async function edit(cli: Cli, flags: EditFlags): Promise<void> {
  const { client, tenantId } = await cli.session();
  await updateTenant({ client, path: { tenant_id: await tenantId() }, body: changesOf(flags) });
  cli.say('The tenant is changed.');
}

export async function leave(cli: Cli, flags: DestroyFlags): Promise<void> {
  const { client, tenantId } = await cli.session();
  const path = { tenant_id: await tenantId() };
  const { data } = await getTenant({ client, path });
  await confirm(
    cli,
    { what: `your membership in the tenant ${data.name} and your keys in it`, name: data.name },
    flags,
  );
  await leaveTenant({ client, path });
  cli.say(`You have left ${data.name}.`);
}

export async function destroy(cli: Cli, flags: DestroyFlags): Promise<void> {
  const { client, tenantId } = await cli.session();
  const path = { tenant_id: await tenantId() };
  const { data } = await getTenant({ client, path });
  await confirm(cli, { what: `the tenant ${data.name} with everything in it`, name: data.name }, flags);
  const about = { action: { action_type: 'delete_tenant' as const, payload: path } };
  await withCode(cli, { tenantId: path.tenant_id, about }, flags, (code) =>
    deleteTenant({ client, path, ...(code !== undefined && { query: { code } }) }),
  );
  cli.say(`The tenant ${data.name} is deleted.`);
}
