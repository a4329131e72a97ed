import type { Cli } from './cli.ts';
import { createCli } from './create-cli.ts';
import { exitCodes } from './errors.ts';
import { explain } from './explain.ts';
import { processIo } from './io.ts';

/** how long a command may take to end after Ctrl-C */
const graceMs = 2_000;

/** Runs a command line and sets the exit code of the process. */
export async function run(args: readonly string[]): Promise<void> {
  const interrupted = new AbortController();
  const io = processIo();
  const cli = createCli(io, interrupted.signal);
  // the reader has seen enough: `sluice … | head`
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.done);
    throw error;
  });
  io.stderr.on('error', () => {});
  const stop = () => {
    if (interrupted.signal.aborted) process.exit(exitCodes.interrupted);
    interrupted.abort(new Error('interrupted'));
    setTimeout(() => process.exit(exitCodes.interrupted), graceMs).unref();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    const { parse } = await import('./program.ts');
    process.exitCode = await parse(cli, args);
  } catch (error) {
    process.exitCode = await report(cli, error);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

const isOrdinary = new Set<number>([exitCodes.done, exitCodes.interrupted, exitCodes.differs]);

/** Says what went wrong: what, where, what to do, and by what the operator finds the request. @returns the exit code */
async function report(cli: Cli, error: unknown): Promise<number> {
  const { exitCode, message, details = [], next, requestId } = await explain(error, cli);
  if (isOrdinary.has(exitCode)) return exitCode;
  const { visible } = await import('./output/escape.ts');
  const paint: typeof cli.io.paintWords = (style, words) => cli.io.paintWords(style, words);
  const text = message.split('\n').map(visible).join('\n');
  const lines = [
    `${paint('red', 'Error:')} ${text}`,
    ...details.map((detail) => `  ${visible(detail)}`),
    ...(next === undefined ? [] : [`  ${paint('cyan', 'Next:')} ${visible(next)}`]),
    ...(requestId ? [`  ${paint('dim', `Request: ${visible(requestId)}`)}`] : []),
  ];
  cli.io.stderr.write(`${lines.join('\n')}\n`);
  return exitCode;
}
