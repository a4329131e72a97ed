import { assignRole, revokeRole } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { capital } from '../entries/entries.ts';
import { members } from './members.ts';
import { roles } from './roles.ts';

export const assign = changeHolders(assignRole, 'is given to');
export const unassign = changeHolders(revokeRole, 'is taken from');

function changeHolders(change: typeof assignRole<true> | typeof revokeRole<true>, done: string) {
  return async (cli: Cli, role: string, people: readonly string[]): Promise<void> => {
    const { call, id, title } = await roles.find(cli, role);
    const found = [];
    for (const person of people) found.push(await members.find(cli, person));
    await change({
      ...call,
      path: { ...call.path, role_id: id },
      body: { members: found.map((one) => one.id) },
    });
    cli.say(capital(`${title} ${done} ${people.join(', ')}.`));
  };
}
