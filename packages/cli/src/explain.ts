import { SluiceError } from '@sluice/client';
import { CliError, exitCodes, type Explanation } from '@sluice/terminal/errors';
import { DryRunEnd } from './errors.ts';

/** How a command that failed is explained, for `main`. */
interface Context {
  /** the options of the command, by which a field of a request finds its flag */
  flags: readonly string[];
  signal: AbortSignal;
}

/** Says what happened. Loads what it needs for that alone. */
export async function explain(error: unknown, context: Context): Promise<Explanation> {
  if (error instanceof DryRunEnd) return { exitCode: exitCodes.done, message: '' };
  if (context.signal.aborted) return { exitCode: exitCodes.interrupted, message: 'Interrupted.' };
  if (error instanceof CliError) return error;
  if (error instanceof SluiceError) {
    const { explainProblem } = await import('./problems.ts');
    return explainProblem(error, context.flags);
  }
  // what fetch says where a connection ends in the middle of what is read as a stream
  if (error instanceof TypeError && error.message === 'terminated')
    return {
      exitCode: exitCodes.tryAgain,
      message: 'The server has ended its answer before the answer was complete.',
    };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exitCode: exitCodes.unexpected, message: `Unexpected: ${text}` };
}
