import {
  createApiKey,
  createDivisionApiKey,
  deleteApiKey,
  deleteDivisionApiKey,
  getApiKey,
  getDivisionApiKey,
  listApiKeys,
  listDivisionApiKeys,
  paginate,
  rotateApiKey,
  rotateDivisionApiKey,
  type ApiKey,
  type ApiKeyDetail,
  type CreatedApiKey,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { handOut, type OutFlags } from '../../files.ts';
import type { DestroyFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { confirm } from '../../prompts.ts';
import { inDivision, inTenant, verbsOf, type TenantCall } from '../entries/entries.ts';
import { roles } from '../members/roles.ts';

/** Keys of a division have operations of their own, which need rights in the division alone. */
type KeyCall = TenantCall & { path: { division_id?: number } };

const inDivisionOrTenant = (cli: Cli, division: string | undefined): Promise<KeyCall> =>
  division === undefined ? inTenant(cli) : inDivision(cli, division);

const withId = <D>({ path: { tenant_id, division_id }, ...call }: KeyCall, api_key_id: number, rest: D) => {
  const path = { tenant_id, api_key_id };
  return division_id === undefined
    ? { tenant: { ...call, ...rest, path } }
    : { division: { ...call, ...rest, path: { ...path, division_id } } };
};

export const keys = verbsOf<KeyCall, ApiKey, ApiKeyDetail>({
  noun: 'keys',
  one: 'API key',
  at: inDivisionOrTenant,
  read({ path: { tenant_id, division_id }, ...call }) {
    if (division_id === undefined) return paginate(listApiKeys, { ...call, path: { tenant_id } });
    return paginate(listDivisionApiKeys, { ...call, path: { tenant_id, division_id } });
  },
  view: {
    name: ({ id }) => String(id),
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'NAME', value: ({ name }) => name },
      { header: 'ROLE', value: ({ role_name: role }) => role },
      { header: 'DIVISION', value: ({ division_id }) => division_id },
      { header: 'UNTIL', value: ({ expiry_at }) => expiry_at },
      { header: 'LAST USED', value: ({ last_used_at }) => last_used_at },
      {
        header: 'ADDRESSES',
        value: ({ validate_ip, allowed_ips }) => (validate_ip ? allowed_ips.join(', ') : 'any'),
        wide: true,
      },
      { header: 'USER', value: ({ user_id }) => user_id, wide: true },
      { header: 'CREATED', value: ({ created_at }) => created_at, wide: true },
    ],
  },
  id: ({ id }) => id,
  name: ({ name }) => name,
  get(call, id) {
    const { tenant, division } = withId(call, id, {});
    return tenant ? getApiKey(tenant) : getDivisionApiKey(division);
  },
  remove(call, id) {
    const { tenant, division } = withId(call, id, {});
    return tenant ? deleteApiKey(tenant) : deleteDivisionApiKey(division);
  },
});

const created: View<CreatedApiKey> = {
  name: ({ id }) => String(id),
  columns: [],
  fields: ({ id, name, token, expiry_at }) => [
    ['Id', id],
    ['Name', name],
    ['Token', token],
    ['Until', expiry_at],
  ],
};

interface CreateFlags extends OutFlags {
  role: string;
  /** milliseconds */
  for: number;
  allowedIps?: string[];
}

export async function create(
  cli: Cli,
  name: string,
  division: string | undefined,
  { role, allowedIps, ...flags }: CreateFlags,
): Promise<void> {
  const { path, ...call } = await inDivisionOrTenant(cli, division);
  const { tenant_id, division_id } = path;
  const body = {
    name,
    role_id: (await roles.find(cli, role)).id,
    expiry_at: new Date(Date.now() + flags.for).toISOString(),
    ...(allowedIps && { validate_ip: true, allowed_ips: allowedIps }),
  };
  await handOut(cli, { view: created, what: 'key', ...flags }, () =>
    division_id === undefined
      ? createApiKey({ ...call, path: { tenant_id }, body })
      : createDivisionApiKey({ ...call, path: { tenant_id, division_id }, body }),
  );
}

export async function rotate(
  cli: Cli,
  text: string,
  at: string | undefined,
  { grace, ...flags }: OutFlags & DestroyFlags & { grace?: number },
): Promise<void> {
  const found = await keys.find(cli, text, at);
  const end = grace ? ', when its grace is over' : '';
  await confirm(cli, { what: `the token of ${found.title}${end}`, name: found.item.name }, flags);
  const body = grace === undefined ? {} : { grace_seconds: Math.ceil(grace / 1_000) };
  const { tenant, division } = withId(found.call, found.id, { body });
  await handOut(cli, { view: created, what: 'key', ...flags }, () =>
    tenant ? rotateApiKey(tenant) : rotateDivisionApiKey(division),
  );
}
