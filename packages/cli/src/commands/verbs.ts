import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { destroys, limited, type DestroyFlags } from '@sluice/terminal/options';

/** What `verbsOf` makes, loaded when a verb is chosen. */
interface Actions {
  list(cli: Cli, place: string | undefined, flags?: object): Promise<void>;
  show(cli: Cli, text: string, place?: string): Promise<void>;
  remove(cli: Cli, text: string, place: string | undefined, flags: DestroyFlags): Promise<void>;
}

interface Declaration {
  /** what an entry is given as, such as `rule`; its name or its id */
  one: string;
  /** what the entries belong to; without it the tenant */
  place?: 'deployment' | 'division';
  load: () => Promise<Actions>;
  list: string;
  show?: string;
  /** the verb and its description */
  remove?: readonly [verb: string, description: string];
}

export const placeWords = 'its place, such as payments/dev/orders, or its id';
export const divisionWords = 'the division that it is of; without it the tenant';

/** Adds the verbs that most nouns have. @returns the command of the list, for its filters */
export function addVerbs(
  command: Command,
  cli: Cli,
  { one, place, load, list, show, remove }: Declaration,
): Command {
  const add = (verb: string, description: string) => {
    const added = command.command(verb).description(description);
    return verb === 'list' ? added : added.argument(`<${one}>`, 'its name or its id');
  };
  const placed = (added: Command) =>
    place ? added.argument(`[${place}]`, place === 'division' ? divisionWords : placeWords) : added;

  const lists = placed(limited(add('list', list)).alias('ls')).action(async (...given: unknown[]) => {
    const [at, flags] = place ? given : [undefined, given[0]];
    await (await load()).list(cli, at as string | undefined, flags as object);
  });
  if (show)
    placed(add('show', show)).action(async (text: string, at: unknown) =>
      (await load()).show(cli, text, place && (at as string | undefined)),
    );
  if (remove)
    placed(destroys(add(...remove))).action(async (text: string, ...given: unknown[]) => {
      const [at, flags] = place ? given : [undefined, given[0]];
      await (await load()).remove(cli, text, at as string | undefined, flags as DestroyFlags);
    });
  return lists;
}
