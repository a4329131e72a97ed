import {
  getTenantContext,
  listLimits,
  listSessions,
  SluiceError,
  type Context,
  type Limit,
  type PermissionsDetail,
  type Session,
  type TenantContext,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { CliError } from '@sluice/terminal/errors';
import type { View } from '@sluice/terminal/output';

interface Shown {
  context: string | null;
  url: string;
  caller: Context | null;
  /** where no key is used */
  session: Session | null;
  tenant: TenantContext | null;
  /** null where the caller may not read them */
  limits: Limit[] | null;
}

export async function whoami(cli: Cli): Promise<void> {
  const { client, context, who, tenantId } = await cli.session();
  const caller = (await who()) ?? null;
  const isSession = caller !== null && caller.api_key === null;
  const session = isSession ? await readSession(cli) : null;
  // a session is of no tenant, and its user may have none, or several
  const tenant_id = await tenantId().catch((error: unknown) => {
    if (!isSession || cli.options.tenant !== undefined || !(error instanceof CliError)) throw error;
    return null;
  });
  const call = { client, path: { tenant_id: tenant_id ?? 0 }, signal: cli.signal };
  const [tenant, limits] =
    tenant_id === null
      ? [null, null]
      : await Promise.all([
          getTenantContext(call).then(({ data }) => data, unlessMissing),
          listLimits(call).then(({ data }) => data, unlessMissing),
        ]);
  const { name, url } = context;
  await cli.output.item({ context: name, url, caller, session, tenant, limits }, view);
}

async function readSession(cli: Cli): Promise<Session | null> {
  const { client } = await cli.session();
  const { data } = await listSessions({ client, signal: cli.signal });
  return data.find(({ current }) => current) ?? null;
}

/** A server before 1.1.0 does not have it, and a caller may not be allowed to read it. */
function unlessMissing(error: unknown): null {
  if (error instanceof SluiceError && [403, 404].includes(error.status)) return null;
  throw error;
}

const view: View<Shown> = {
  name: ({ caller }) => caller?.user.name ?? '',
  columns: [],
  fields: ({ context, url, caller, session, tenant, limits }) => [
    ['User', caller?.user.name],
    ['Context', context ?? 'SLUICE_API_KEY'],
    ['Address', url],
    ['Release', caller?.release],
    session
      ? ['Session', `${session.machine ?? 'browser'}, since ${session.created_at}`]
      : ['Key', caller?.api_key?.name],
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
