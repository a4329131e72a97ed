import {
  createClient,
  getContext,
  listOwnTenants,
  paginate,
  SluiceError,
  type Context,
  type SluiceClient,
} from '@sluice/client';
import type { Cli, Session } from './cli.ts';
import { CliError, exitCodes, usageError } from '@sluice/terminal/errors';
import { credentialsOf } from './context/credentials.ts';
import { observed } from './requests.ts';
import { createPlaces } from './places.ts';

export async function openSession(cli: Cli): Promise<Session> {
  const { signal } = cli;
  const { tenant } = cli.options;
  const context = await cli.contexts.choose(cli.options.context);
  const credentials = credentialsOf(await context.key());
  const ownTenant =
    tenant === undefined ? context.tenant?.id : /^\d+$/.test(tenant) ? Number(tenant) : undefined;
  const client = createClient({
    url: context.url,
    ...credentials,
    tenant: ownTenant,
    fetch: observed(cli),
    onRetry: ({ error, pauseMs }) =>
      cli.say(`${error.detail} Trying again in ${(pauseMs / 1_000).toFixed(1)} s.`),
  });
  let read: Promise<Context | undefined> | undefined;
  const who = () => (read ??= readContext(client, signal));
  let found: Promise<number> | undefined;
  const tenantId = () =>
    (found ??=
      ownTenant !== undefined
        ? Promise.resolve(ownTenant)
        : findTenant(client, tenant, who, signal).then(({ id }) => id));
  return {
    context,
    client,
    tenantId,
    places: createPlaces(client, tenantId, context.place, signal),
    at: ({ supervisor_url }) => client.at(supervisor_url),
    who,
  };
}

export async function readContext(client: SluiceClient, signal: AbortSignal): Promise<Context | undefined> {
  try {
    return (await getContext({ client, signal })).data;
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'unknown_path') return undefined;
    throw error;
  }
}

/** The tenant of the key, or the one that the user has, of this name. @throws CliError where it is not clear */
export async function findTenant(
  client: SluiceClient,
  name: string | undefined,
  who: Session['who'],
  signal: AbortSignal,
): Promise<NonNullable<Context['tenant']>> {
  const own = name === undefined ? (await who())?.tenant : undefined;
  if (own) return own;
  const tenants = [];
  for await (const tenant of paginate(listOwnTenants, { client, signal })) tenants.push(tenant);
  const fitting =
    name === undefined
      ? tenants
      : tenants.filter((tenant) => tenant.name === name || String(tenant.id) === name);
  const [first] = fitting;
  if (first && fitting.length === 1) return first;
  if (name !== undefined && !first)
    throw usageError(`--tenant: there is no tenant ${JSON.stringify(name)}.`, 'sluice tenants list');
  throw new CliError({
    exitCode: exitCodes.usage,
    message: 'Which tenant?',
    details: fitting.map((tenant) => `${tenant.id}  ${tenant.name}`),
    next: 'name it with --tenant',
  });
}
