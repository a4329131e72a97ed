import { Command, CommanderError, Option } from 'commander';
import { exitCodes, type ExitCode } from './errors.ts';
import type { Io } from './io.ts';
import { formats, type Format } from './output.ts';

/** Options that every command takes, and `--dry-run` of those that change something. */
export interface CommonOptions {
  output?: Format;
  query?: string;
  dryRun?: boolean;
}

/** A program whose commands take `-o` and `--query`, and say what is wrong as the other program does. */
export function newProgram(name: string, io: Io): Command {
  return new Command(name)
    .usage('<command> …')
    .addOption(new Option('-o, --output <format>', 'how data is written').choices(formats))
    .option('--query <jmespath>', 'what of the data is written, as JMESPath')
    .helpOption('-h, --help', 'show this')
    .addHelpCommand(false)
    .configureHelp({ showGlobalOptions: true, styleTitle: (text) => io.paint('bold', text) })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: (text, write) => write(`${io.paintWords('red', 'Error:')} ${sentence(text)}`),
    })
    .showHelpAfterError('  Next: add --help to see what the command takes')
    .exitOverride();
}

/** Does what a command line says; `help <command>` is `<command> --help`. @returns the exit code; errors of actions are thrown */
export async function parseLine(program: Command, given: readonly string[]): Promise<ExitCode> {
  const args = given[0] === 'help' ? [...given.slice(1), '--help'] : given;
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // it was said by `outputError`, or is the help of a noun without a verb
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

/** `error: unknown option '--x'` in the form of the other errors */
function sentence(text: string): string {
  const said = text.replace(/^error: /, '');
  return said.charAt(0).toUpperCase() + said.slice(1);
}
