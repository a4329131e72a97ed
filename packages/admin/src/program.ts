import { conflict, usageError } from '@sluice/terminal/errors';
import { newProgram, parseLine } from '@sluice/terminal/program';
import { Option, type Command } from 'commander';
import type { Admin, createAdmin, Options } from './admin.ts';
import { groups } from './commands/index.ts';

type Startable = ReturnType<typeof createAdmin>;

/** The program with all groups; those that are not chosen stay without their commands. */
function createProgram(admin: Startable, begin: (options: Options) => Promise<void>): Command {
  const program = newProgram('sluice-admin', admin.io)
    .description(
      'What operators of an installation do: messages that stay behind, regions, maintenance, restores.',
    )
    .option('--service <name>', 'work in the database of this service, by its file in DATABASE_URLS_DIR')
    .addOption(new Option('--json', 'the same as -o json').conflicts('output').hideHelp())
    .hook('preSubcommand', async (_program, chosen) => load(chosen, admin))
    .hook('preAction', (_program, action) => begin(action.optsWithGlobals<Options>()))
    .addHelpText(
      'after',
      `
A database is that of --service: of the file DATABASE_URL.<name> in the folder DATABASE_URLS_DIR. Without that folder it is DATABASE_URL.

sluice-admin <command> --help shows more. Exit codes are those of sluice.`,
    );
  for (const { name, summary } of groups) program.command(name).summary(summary).description(`${summary}.`);
  return program;
}

async function load(command: Command, admin: Admin): Promise<void> {
  const group = groups.find(({ name }) => name === command.name());
  if (!group) throw usageError(`There is no command ${command.name()}.`);
  (await group.load()).default(command, admin);
}

/** Does what a command line says. @returns the exit code; errors of actions are thrown */
export const parse = (admin: Startable, args: readonly string[]): Promise<number> =>
  parseLine(
    createProgram(admin, (options) => admin.begin(options)),
    args,
  );

/** Reads a command line without doing what it says. @returns 0, or what the program would end with */
export async function check(admin: Startable, args: readonly string[]): Promise<number> {
  const understood = conflict('The command line is understood.');
  try {
    return await parseLine(
      createProgram(admin, () => Promise.reject(understood)),
      args,
    );
  } catch (error) {
    if (error === understood) return 0;
    throw error;
  }
}
