import { CannotStart } from '@sluice/embedded';
import { isErrorCode } from '@sluice/system';
import { runStack, type MakePlan } from './run-stack.ts';
import { readSettings } from './settings.ts';

/**
 * Runs a stack as this process: settings from the environment, an orderly end at SIGINT, SIGTERM and SIGHUP and when
 * the process that started this one is gone. Any further signal is the same wish again. Exit code 0 after such an
 * end; 1, with one sentence, when the stack could not start or had to give up.
 */
export async function launchStack(makePlan: MakePlan): Promise<void> {
  const stop = new AbortController();
  const end = () => {
    if (!stop.signal.aborted) console.log('\nStopping…');
    stop.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  process.on('disconnect', end);
  // a terminal that was closed takes no more words; a full disk may take them again
  const unlessFull = (error: Error) => {
    if (!isErrorCode(error, 'ENOSPC') && !isErrorCode(error, 'EDQUOT')) end();
  };
  process.stdout.on('error', unlessFull);
  process.stderr.on('error', unlessFull);

  try {
    await runStack(readSettings(process.env), makePlan, stop.signal);
    process.exit(0);
  } catch (error) {
    console.error(error instanceof CannotStart ? error.message : error);
    process.exit(1);
  }
}
