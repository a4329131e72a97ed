import { getCredentials, rotateCredentials, waitFor, type DeploymentCredentials } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../errors.ts';
import { writeSecretFile } from '../../files.ts';
import type { DestroyFlags, WaitFlags } from '../../options.ts';
import { visible } from '../../output/escape.ts';
import type { View } from '../../output/output.ts';
import { confirm } from '../../prompts.ts';
import { showSteps } from '../../steps.ts';
import { inDeployment } from '../entries/entries.ts';

const view: View<DeploymentCredentials> = {
  name: ({ username }) => username,
  columns: [],
  fields: ({ username, password, former = [] }) => [
    ['Username', username],
    ['Password', password],
    ...former.map((login) => ['Former', `${login.username} until ${login.valid_until}`] as const),
  ],
};

interface OutFlags {
  out?: string;
}

export async function show(cli: Cli, at: string | undefined, flags: OutFlags): Promise<void> {
  const { data } = await getCredentials(await inDeployment(cli, at));
  await handOut(cli, data, flags);
}

async function handOut(cli: Cli, credentials: DeploymentCredentials, { out }: OutFlags): Promise<void> {
  if (out === undefined) return cli.output.item(credentials, view);
  await writeSecretFile(out, `${JSON.stringify(credentials, null, 2)}\n`);
  cli.say(visible(`The login is in ${out}.`));
}

export async function rotate(
  cli: Cli,
  at: string | undefined,
  { wait, timeout, grace, out, ...flags }: DestroyFlags & WaitFlags & OutFlags & { grace?: number },
): Promise<void> {
  if (out !== undefined && !wait) throw usageError('--out: the new login is not there at once.', 'pass --wait as well');
  const call = await inDeployment(cli, at);
  const { path: place } = call;
  const what = grace ? `the login of ${place.path}, when its grace is over` : `the login of ${place.path}, and its clients have to connect anew`;
  await confirm(cli, { what, name: place.path }, flags);
  const { data: before } = await getCredentials(call);
  const body = grace === undefined ? {} : { grace_seconds: Math.ceil(grace / 1_000) };
  await rotateCredentials({ ...call, body });
  if (!wait) return cli.say(visible(`${place.path} gets a new login. sluice credentials show has it once its nodes know it.`));
  const steps = showSteps(cli);
  steps.now('new login');
  try {
    const after = await waitFor(
      ({ client, signal }) => getCredentials({ ...call, client, signal }),
      ({ username, password }) => username !== before.username || password !== before.password,
      { client: call.client, timeoutMs: timeout, signal: cli.signal },
    );
    await steps.end('done');
    await handOut(cli, after, { ...(out !== undefined && { out }) });
  } catch (error) {
    await steps.end('failed');
    throw error;
  }
}
