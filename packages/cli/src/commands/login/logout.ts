import { deleteApiKey, deleteDivisionApiKey, signOut, SluiceError } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { isSession } from '../../context/credentials.ts';
import { usageError } from '@sluice/terminal/errors';

export async function logout(cli: Cli, { revoke }: { revoke?: boolean }): Promise<void> {
  const { name, source, key } = await cli.contexts.choose(cli.options.context);
  if (name === null || source === 'environment')
    throw usageError('The key is in SLUICE_API_KEY, which is not ours to forget.', 'unset SLUICE_API_KEY');
  if (source === 'stack')
    throw usageError('The context local is that of the stack that runs here, and ends with it.');
  if (isSession(await key())) return endSession(cli, name);
  if (revoke) await revokeKey(cli);
  await cli.contexts.forgetKey(name);
  cli.say(`The key of the context ${name} is ${revoke ? 'deleted here and on the server' : 'deleted here'}.`);
  if (!revoke) cli.say('Copies of it work until it is revoked: sluice logout --revoke does both.');
}

/** First at the server: what is forgotten here cannot be ended any more. */
async function endSession(cli: Cli, name: string): Promise<void> {
  const { client } = await cli.session();
  await signOut({ client, signal: cli.signal }).catch(unlessEnded);
  await cli.contexts.forgetKey(name);
  cli.say(`The session of the context ${name} is ended. No copy of it works any more.`);
}

function unlessEnded(error: unknown): void {
  if (!(error instanceof SluiceError) || error.code !== 'unauthenticated') throw error;
}

async function revokeKey(cli: Cli): Promise<void> {
  const { client, who } = await cli.session();
  const me = await who();
  if (!me?.tenant || !me.api_key)
    throw usageError('The server does not say which key this is.', 'leave --revoke out');
  const path = { tenant_id: me.tenant.id, api_key_id: me.api_key.id };
  if (me.division) await deleteDivisionApiKey({ client, path: { ...path, division_id: me.division.id } });
  else await deleteApiKey({ client, path });
}
