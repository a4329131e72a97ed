import { createClient, getApiKeyContext, signOut, type Context } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { checkUrl } from '../../context/contexts.ts';
import { credentialsOf, isSession } from '../../context/credentials.ts';
import { CliError, exitCodes, usageError } from '@sluice/terminal/errors';
import { askText, readSecret } from '../../prompts.ts';
import { observed } from '../../requests.ts';
import { findTenant, readContext } from '../../session.ts';
import { signInByDevice } from './device.ts';

export interface LoginFlags {
  url?: string;
  device?: boolean;
  withKey?: boolean;
  keyFile?: string;
}

export async function login(cli: Cli, flags: LoginFlags): Promise<void> {
  const isKey = flags.withKey || flags.keyFile !== undefined;
  if (flags.device && isKey) throw usageError('--device signs in without a key.', 'leave one of them out');
  const address = await addressOf(cli, flags.url);
  const name = cli.options.context ?? new URL(address).hostname.replace(/^\[|\]$/g, '').replaceAll(':', '-');
  if (isExposed(address)) cli.say(`${address} has no HTTPS: what signs you in can be read on its way.`);
  const asksKey = isKey || (!flags.device && !cli.io.stdin.isTTY);
  const token = asksKey
    ? await readKey(cli, address, flags)
    : await signInByDevice(cli, address, { shows: flags.device ?? false });
  const who = await whoIs(cli, address, token).catch(async (error: unknown) => {
    // it is kept nowhere, so that it could not be ended later
    if (isSession(token)) await endSession(cli, address, token);
    throw error;
  });
  const before = await (await cli.contexts()).find(name);
  const former = await formerSession(cli, name, address);
  const isSame = before?.url === address && before.tenant?.id === who.tenant?.id;
  const at = await (
    await cli.contexts()
  ).save(name, { url: address, tenant: who.tenant, place: isSame ? before.place : null }, token);
  await (await cli.contexts()).use(name);
  if (former !== undefined) await endSession(cli, address, former);
  const what = isSession(token) ? 'session' : 'key';
  const where =
    at === 'keyring'
      ? 'in the keyring'
      : `in a file that only you can read, in ${(await cli.contexts()).folder}`;
  cli.say(`Signed in to ${address} as ${who.name}${who.tenant ? ` (tenant ${who.tenant.name})` : ''}.`);
  cli.say(`The context ${name} is in use. Its ${what} is kept ${where}.`);
  if (!who.tenant) cli.say('No tenant is chosen: pass --tenant to each command, or to sluice login.');
  if (cli.io.env['SLUICE_API_KEY']) cli.say('SLUICE_API_KEY is set and goes before it.');
}

async function readKey(cli: Cli, address: string, { keyFile }: LoginFlags): Promise<string> {
  const key = await readSecret(cli, { message: `API key for ${address}`, file: keyFile, flag: '--key-file' });
  if (/^[\x21-\x7e]{1,512}$/.test(key) && !isSession(key)) return key;
  throw new CliError({
    exitCode: exitCodes.badInput,
    message: 'This is no API key.',
    next: 'keys are made by sluice keys create',
  });
}

async function addressOf(cli: Cli, given: string | undefined): Promise<string> {
  const context = cli.options.context;
  const known = context === undefined ? undefined : (await (await cli.contexts()).find(context))?.url;
  const address = given ?? (cli.io.env['SLUICE_URL'] || known);
  if (address) return checkUrl(address);
  if (!cli.io.isInteractive)
    throw usageError('Where do you want to sign in?', 'pass --url, such as --url https://api.example.com');
  const isAddress = (text: string) =>
    /^https?:\/\/./.test(text) ? undefined : 'Type an address such as https://api.example.com.';
  return checkUrl(await askText(cli, 'Address of the Main API', isAddress));
}

/** Whether others on the way can read what is sent. */
function isExposed(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.*\.localhost)$/.test(hostname);
}

interface Who {
  name: string;
  tenant: Context['tenant'];
}

/** Asks the server whose the token is. One before 1.1.0 has to know the tenant. @throws SluiceError 401 where it is none */
async function whoIs(cli: Cli, url: string, token: string): Promise<Who> {
  const client = createClient({ url, ...credentialsOf(token), fetch: observed(cli), attempts: 2 });
  const who = await readContext(client, cli.signal);
  if (who?.api_key) return { name: who.user.name, tenant: who.tenant };
  if (who) return { name: who.user.name, tenant: await chosenTenant(cli, client) };
  const tenantId = Number(cli.options.tenant);
  if (!Number.isSafeInteger(tenantId))
    throw usageError(
      'The server is older than 1.1.0 and does not say of which tenant the key is.',
      'pass --tenant ID',
    );
  const { data } = await getApiKeyContext({ client, path: { tenant_id: tenantId }, signal: cli.signal });
  return { name: data.name, tenant: { id: tenantId, name: String(tenantId) } };
}

/** The tenant of a session: the one that is named, or the only one. */
async function chosenTenant(cli: Cli, client: ReturnType<typeof createClient>): Promise<Context['tenant']> {
  const { tenant: named } = cli.options;
  try {
    return await findTenant(client, named, async () => undefined, cli.signal);
  } catch (error) {
    if (named === undefined && error instanceof CliError && error.exitCode === exitCodes.usage) return null;
    throw error;
  }
}

/** The session that a context has so far: another sign-in takes its place. */
async function formerSession(cli: Cli, name: string, address: string): Promise<string | undefined> {
  try {
    const { source, url, key } = await (await cli.contexts()).choose(name);
    // a token of the environment is not the context's, and others use it
    if (source !== 'context' || url !== address) return undefined;
    const token = await key();
    return isSession(token) ? token : undefined;
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

/** Ends a session at the server. That it cannot be reached is no reason to fail: the session ends when it is not used. */
async function endSession(cli: Cli, url: string, session: string): Promise<void> {
  const client = createClient({ url, session, fetch: observed(cli), attempts: 1 });
  await signOut({ client, signal: cli.signal }).catch(() => cli.signal.throwIfAborted());
}
