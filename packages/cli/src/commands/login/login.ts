import { createClient, getApiKeyContext, type Context } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { checkUrl } from '../../context/contexts.ts';
import { CliError, exitCodes, usageError } from '../../errors.ts';
import { askText, readSecret } from '../../prompts.ts';
import { observed } from '../../requests.ts';
import { readContext } from '../../session.ts';

interface LoginFlags {
  url?: string;
  keyFile?: string;
}

export async function login(cli: Cli, { url, keyFile }: LoginFlags): Promise<void> {
  const address = await addressOf(cli, url);
  const name = cli.options.context ?? new URL(address).hostname.replace(/^\[|\]$/g, '').replaceAll(':', '-');
  if (isExposed(address)) cli.say(`${address} has no HTTPS: the key can be read on its way there.`);
  const key = await readSecret(cli, { message: `API key for ${address}`, file: keyFile, flag: '--key-file' });
  if (!/^[\x21-\x7e]{1,512}$/.test(key))
    throw new CliError({
      exitCode: exitCodes.badInput,
      message: 'This is no API key.',
      next: 'keys are made by sluice keys create',
    });
  const who = await checkKey(cli, address, key);
  const before = await cli.contexts.find(name);
  const isSame = before?.url === address && before.tenant?.id === who.tenant?.id;
  const at = await cli.contexts.save(
    name,
    { url: address, tenant: who.tenant, place: isSame ? before.place : null },
    key,
  );
  await cli.contexts.use(name);
  const where =
    at === 'keyring' ? 'in the keyring' : `in a file that only you can read, in ${cli.contexts.folder}`;
  cli.say(`Signed in to ${address} as ${who.name}${who.tenant ? ` (tenant ${who.tenant.name})` : ''}.`);
  cli.say(`The context ${name} is in use. Its key is kept ${where}.`);
  if (cli.io.env['SLUICE_API_KEY']) cli.say('SLUICE_API_KEY is set and goes before it.');
}

async function addressOf(cli: Cli, given: string | undefined): Promise<string> {
  const context = cli.options.context;
  const known = context === undefined ? undefined : (await cli.contexts.find(context))?.url;
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

/** Asks the server who the key is. One before 1.1.0 has to know the tenant. @throws SluiceError 401 where the key is none */
async function checkKey(cli: Cli, url: string, apiKey: string): Promise<Who> {
  const client = createClient({ url, apiKey, fetch: observed(cli), attempts: 2 });
  const who = await readContext(client, cli.signal);
  if (who) return { name: who.user.name, tenant: who.tenant };
  const tenantId = Number(cli.options.tenant);
  if (!Number.isSafeInteger(tenantId))
    throw usageError(
      'The server is older than 1.1.0 and does not say of which tenant the key is.',
      'pass --tenant ID',
    );
  const { data } = await getApiKeyContext({ client, path: { tenant_id: tenantId }, signal: cli.signal });
  return { name: data.name, tenant: { id: tenantId, name: String(tenantId) } };
}
