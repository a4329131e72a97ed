import { Counter, type Registry } from '@prometheus-io/client';
import type { Log } from './log.ts';
import { currentContext } from './request-context.ts';

/** how many there have been in this process, by where they came from */
const seen = { request: 0, elsewhere: 0 };

/**
 * Keeps the process alive when something is thrown that is not caught: within a request it ends this request, with the
 * answer of any other failure; elsewhere it is logged. Both are counted (decision 026).
 */
export function surviveUncaughtErrors(log: Log): void {
  const survive = (error: unknown) => {
    const request = currentContext();
    const origin = request?.fail ? 'request' : 'elsewhere';
    seen[origin]++;
    log.error('an error was not caught', { error, origin });
    try {
      request?.fail?.(error);
    } catch (failure) {
      log.error('a request could not be failed', { error: failure });
    }
  };
  process.on('uncaughtException', survive);
  process.on('unhandledRejection', survive);
}

export function countUncaughtErrors(metrics: Registry): void {
  new Counter({
    name: 'sluice_uncaught_errors_total',
    help: 'Errors that nothing has caught: a mistake in the program each time',
    labelNames: ['origin'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [origin, count] of Object.entries(seen)) this.inc({ origin }, count);
    },
  });
}
