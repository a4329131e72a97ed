import { exitCodes, type ExitCode, type Explanation } from './errors.ts';
import type { Io } from './io.ts';

/** how long a command may take to end after Ctrl-C */
const graceMs = 2_000;

interface Runnable {
  /** @returns the exit code */
  parse: () => Promise<number>;
  /** What is said of an error that `parse` has thrown. */
  explain: (error: unknown) => Promise<Explanation>;
}

/** Runs a command line and sets the exit code of the process. `interrupted` is aborted by Ctrl-C. */
export async function runProgram(
  io: Io,
  interrupted: AbortController,
  { parse, explain }: Runnable,
): Promise<void> {
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
    process.exitCode = await parse();
  } catch (error) {
    process.exitCode = await report(io, await explain(error));
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

const isOrdinary = new Set<number>([exitCodes.done, exitCodes.interrupted, exitCodes.differs]);

/** Says what went wrong: what, where, what to do, and by what the operator finds the request. @returns the exit code */
async function report(io: Io, explanation: Explanation): Promise<ExitCode> {
  const { exitCode, message, details = [], next, requestId } = explanation;
  if (isOrdinary.has(exitCode)) return exitCode;
  const { visible } = await import('./escape.ts');
  const paint: Io['paintWords'] = (style, words) => io.paintWords(style, words);
  const text = message.split('\n').map(visible).join('\n');
  const lines = [
    `${paint('red', 'Error:')} ${text}`,
    ...details.map((detail) => `  ${visible(detail)}`),
    ...(next === undefined ? [] : [`  ${paint('cyan', 'Next:')} ${visible(next)}`]),
    ...(requestId ? [`  ${paint('dim', `Request: ${visible(requestId)}`)}`] : []),
  ];
  io.stderr.write(`${lines.join('\n')}\n`);
  return exitCode;
}
