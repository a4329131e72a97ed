import {
  getTenantContext,
  listLimits,
  SluiceError,
  type Context,
  type Limit,
  type PermissionsDetail,
  type TenantContext,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import type { View } from '../../output/output.ts';

interface Shown {
  context: string | null;
  url: string;
  caller: Context | null;
  tenant: TenantContext | null;
  /** null where the caller may not read them */
  limits: Limit[] | null;
}

export async function whoami(cli: Cli): Promise<void> {
  const { client, context, who, tenantId } = await cli.session();
  const caller = (await who()) ?? null;
  const path = { tenant_id: await tenantId() };
  const call = { client, path, signal: cli.signal };
  const [tenant, limits] = await Promise.all([
    getTenantContext(call).then(({ data }) => data, unlessMissing),
    listLimits(call).then(({ data }) => data, unlessMissing),
  ]);
  await cli.output.item({ context: context.name, url: context.url, caller, tenant, limits }, view);
}

/** A server before 1.1.0 does not have it, and a caller may not be allowed to read it. */
function unlessMissing(error: unknown): null {
  if (error instanceof SluiceError && [403, 404].includes(error.status)) return null;
  throw error;
}

const view: View<Shown> = {
  name: ({ caller }) => caller?.user.name ?? '',
  columns: [],
  fields: ({ context, url, caller, tenant, limits }) => [
    ['User', caller?.user.name],
    ['Context', context ?? 'SLUICE_API_KEY'],
    ['Address', url],
    ['Release', caller?.release],
    ['Key', caller?.api_key?.name],
    ['Works until', caller && `${caller.expires_at} (${timeLeft(caller.expires_at)})`],
    ['Tenant', (tenant?.tenant ?? caller?.tenant)?.name],
    ['Division', caller?.division?.name ?? (caller?.api_key ? 'all' : null)],
    ['Plan', tenant?.plan],
    ...(tenant ? rightsOf(tenant) : []),
    ...(limits ?? [])
      .filter(({ scope }) => scope === 'tenant')
      .map((one) => [labelOf(one), `${one.used ?? '?'} of ${one.limit}`] as const),
  ],
};

function rightsOf({ owner, permissions }: TenantContext) {
  const scopes = ['tenant', 'division', 'environment'] as const;
  const rights = scopes.map((scope) => [`May, ${scope}`, wordsOf(permissions[scope])] as const);
  const others = Object.keys(permissions.divisions).length;
  return [
    ['Owner', owner] as const,
    ...rights,
    ...(others > 0 ? [['May differ in', `${others} divisions`] as const] : []),
  ];
}

const wordsOf = (names: PermissionsDetail['tenant']): string => names.join(', ') || 'nothing';

/** `divisions_limit` is `Used, divisions`. */
const labelOf = ({ name }: Limit): string => `Used, ${name.replace(/_limit$/, '').replaceAll('_', ' ')}`;

function timeLeft(until: string): string {
  const hours = (Date.parse(until) - Date.now()) / 3_600_000;
  if (hours < 0) return 'over';
  return hours < 48 ? `${Math.floor(hours)} hours left` : `${Math.floor(hours / 24)} days left`;
}
