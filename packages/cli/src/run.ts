import { processIo } from '@sluice/terminal/io';
import { runProgram } from '@sluice/terminal/run';
import { createCli } from './create-cli.ts';
import { explain } from './explain.ts';

/** Runs a command line and sets the exit code of the process. */
export async function run(args: readonly string[]): Promise<void> {
  const interrupted = new AbortController();
  const io = processIo();
  const cli = createCli(io, interrupted.signal);
  await runProgram(io, interrupted, {
    parse: async () => (await import('./program.ts')).parse(cli, args),
    explain: (error) => explain(error, cli),
  });
}
