import { getCredentials, rotateCredentials, SluiceError, type DeploymentCredentials } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes } from '@sluice/terminal/errors';
import { handOut, type OutFlags } from '../../files.ts';
import type { DestroyFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { confirm } from '../../prompts.ts';
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

const secret = (flags: OutFlags) => ({ view, what: 'login', ...flags });

export async function show(cli: Cli, at: string | undefined, flags: OutFlags): Promise<void> {
  const call = await inDeployment(cli, at);
  await handOut(cli, secret(flags), () => getCredentials(call));
}

export async function rotate(
  cli: Cli,
  at: string | undefined,
  flags: DestroyFlags & OutFlags & { grace?: number },
): Promise<void> {
  const { grace } = flags;
  const call = await inDeployment(cli, at);
  const place = call.path.path;
  const end = grace ? 'when its grace is over' : 'and disconnects its clients';
  await confirm(cli, { what: `the login of ${place}, ${end}`, name: place }, flags);
  const body = grace === undefined ? {} : { grace_seconds: Math.ceil(grace / 1_000) };
  await handOut(cli, secret(flags), async () => {
    await rotateCredentials({ ...call, body });
    try {
      return await getCredentials(call);
    } catch (error) {
      // another try of the command would make yet another login
      if (!(error instanceof SluiceError) || cli.signal.aborted) throw error;
      throw new CliError({
        exitCode: exitCodes.partlyApplied,
        message: `The login is new, and cannot be read: ${error.detail}`,
        next: `sluice credentials show ${place}`,
      });
    }
  });
}
