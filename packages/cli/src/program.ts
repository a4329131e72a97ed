import type { Command } from 'commander';
import type { Cli, Options } from './cli.ts';
import type { createCli } from './create-cli.ts';
import { nouns } from './commands/index.ts';
import { groups, type Noun } from './commands/noun.ts';
import { exitCodes, usageError } from '@sluice/terminal/errors';
import { newProgram, parseLine } from '@sluice/terminal/program';

type Startable = ReturnType<typeof createCli>;

/** Parses a command line and does what it says. @returns the exit code */
export async function parse(cli: Cli, args: readonly string[]): Promise<number> {
  // as other programs have it
  if (args[0] === '--version' || args[0] === '-V') {
    const { release } = await import('./generated/operations.ts');
    await cli.output.raw(`sluice ${release}\n`);
    return exitCodes.done;
  }
  const program = createProgram(cli as Startable);
  if (args[0] !== 'complete' || args[1] !== '--') return await parseLine(program, args);
  await completeLine(program, cli as Startable, args.slice(2));
  return exitCodes.done;
}

/** The program with all nouns; those that are not chosen stay without their commands. */
export function createProgram(cli: Startable): Command {
  const program = newProgram('sluice', cli.io)
    .description('The command line of Sluice: brokers as a service.')
    .option('--context <name>', 'the context to use (or SLUICE_CONTEXT)')
    .option('--tenant <id or name>', 'the tenant to work in, where there are several')
    .option('--verbose', 'say on stderr which requests are sent')
    .hook('preSubcommand', async (_program, chosen) => load(chosen, cli))
    .hook('preAction', (_program, action) => {
      const flags = action.options.flatMap(({ long }) => (long ? [long] : []));
      cli.begin(action.optsWithGlobals<Options>(), flags);
    });
  for (const group of groups) {
    program.commandsGroup(`${group}:`);
    for (const noun of nouns.filter((one) => one.group === group)) stub(program, noun);
  }
  return program.addHelpText(
    'after',
    '\nA place is written payments/dev/orders, in part, or as an id. sluice help <command> shows more, sluice --version the release.',
  );
}

function stub(program: Command, { name, summary, isHidden = false }: Noun): Command {
  return program.command(name, { hidden: isHidden }).summary(summary).description(`${summary}.`);
}

/** What the script of a shell asks for. */
async function completeLine(program: Command, cli: Startable, words: readonly string[]): Promise<void> {
  const { complete } = await import('./commands/completion/complete.ts');
  const noun = program.commands.find((command) => words.slice(0, -1).includes(command.name()));
  if (noun) await load(noun, cli);
  await complete(cli, program, words);
}

/** Gives a noun its commands. */
export async function load(command: Command, cli: Cli): Promise<void> {
  const noun = nouns.find(({ name }) => name === command.name());
  if (!noun) throw usageError(`There is no command ${command.name()}.`);
  const { default: build } = await noun.load();
  build(command, cli);
}
