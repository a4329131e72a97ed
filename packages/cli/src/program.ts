import { Command, CommanderError, Option } from 'commander';
import type { Cli, Options } from './cli.ts';
import type { createCli } from './create-cli.ts';
import { nouns } from './commands/index.ts';
import { groups, type Noun } from './commands/noun.ts';
import { exitCodes, usageError } from './errors.ts';
import { formats } from './output/output.ts';

type Startable = ReturnType<typeof createCli>;

/** Parses a command line and does what it says. @returns the exit code */
export async function parse(cli: Cli, args: readonly string[]): Promise<number> {
  const program = createProgram(cli as Startable);
  try {
    if (args[0] === 'complete' && args[1] === '--')
      await completeLine(program, cli as Startable, args.slice(2));
    else await program.parseAsync([...args], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitCodes.done;
    // it was said by `outputError`, or is the help of a noun without a verb
    return exitCodes.usage;
  }
}

/** The program with all nouns; those that are not chosen stay without their commands. */
export function createProgram(cli: Startable): Command {
  const program = new Command('sluice')
    .description('The command line of Sluice: brokers as a service.')
    .usage('<command> …')
    .addOption(new Option('-o, --output <format>', 'how data is written').choices(formats))
    .option('--query <jmespath>', 'what of the data is written, as JMESPath')
    .option('--context <name>', 'the context to use (or SLUICE_CONTEXT)')
    .option('--tenant <id or name>', 'the tenant to work in, where there are several')
    .option('--verbose', 'say on stderr which requests are sent')
    .helpOption('-h, --help', 'show this')
    .addHelpCommand(false)
    .configureHelp({ showGlobalOptions: true, styleTitle: (text) => cli.io.paint('bold', text) })
    .configureOutput({
      writeOut: (text) => void cli.io.stdout.write(text),
      writeErr: (text) => void cli.io.stderr.write(text),
      outputError: (text, write) => write(`${cli.io.paintWords('red', 'Error:')} ${sentence(text)}`),
    })
    .showHelpAfterError('  Next: add --help to see what the command takes')
    .exitOverride()
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
    '\nA place is written payments/dev/orders, in part, or as an id. sluice <command> --help shows more.',
  );
}

function stub(program: Command, { name, summary, isHidden = false }: Noun): Command {
  return program.command(name, { hidden: isHidden }).summary(summary).description(`${summary}.`);
}

/** What the script of a shell asks for. */
async function completeLine(program: Command, cli: Startable, words: readonly string[]): Promise<void> {
  const { complete } = await import('./complete.ts');
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

/** `error: unknown option '--x'` in the form of the other errors */
function sentence(text: string): string {
  const said = text.replace(/^error: /, '');
  return said.charAt(0).toUpperCase() + said.slice(1);
}
