import { createRole, getRole, updateRole, type PermissionsInput } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { edit as editDocument } from '../../editing.ts';
import { capital, inTenant } from '../entries/entries.ts';
import { detail, roles } from './roles.ts';

type Fields = Record<string, unknown>;

const notes = [
  'tenant, division and environment are defaults. Below divisions, by id, are overrides.',
  'sluice api listGrantablePermissions shows all permissions.',
];
const nothing: PermissionsInput = { tenant: [], division: [], environment: [] };

export async function create(
  cli: Cli,
  name: string,
  { file, like }: { file?: string; like?: string },
): Promise<void> {
  const call = await inTenant(cli);
  const value = (like === undefined ? nothing : await permissionsOf(cli, like)) as Fields;
  const send = (permissions: Fields) => createRole({ ...call, body: { name, permissions } });
  // without a terminal the new role is like the other one
  const isCopied = like !== undefined && file === undefined && !cli.io.isInteractive;
  const made = isCopied
    ? await send(value)
    : await editDocument(cli, { what: `the new role ${name}`, value, notes, file }, send);
  if (made) await cli.output.item(made.data, detail);
}

async function permissionsOf(cli: Cli, text: string): Promise<PermissionsInput> {
  const { call, id } = await roles.find(cli, text);
  return (await getRole({ ...call, path: { ...call.path, role_id: id } })).data.permissions;
}

export async function edit(
  cli: Cli,
  text: string,
  { file, name }: { file?: string; name?: string },
): Promise<void> {
  const { call, id, title } = await roles.find(cli, text);
  const path = { ...call.path, role_id: id };
  const send = (permissions?: Fields) =>
    updateRole({
      ...call,
      path,
      body: { ...(name !== undefined && { name }), ...(permissions && { permissions }) },
    });
  if (name !== undefined && file === undefined) await send();
  else {
    const { data } = await getRole({ ...call, path });
    const value = data.permissions as unknown as Fields;
    if (!(await editDocument(cli, { what: title, value, notes, file }, send))) return;
  }
  cli.say(capital(`${title} is changed.`));
}
