import type { z } from 'zod';
import { ConfigError, readConfig, type ServiceEnvironment } from './config.ts';
import { createLog, type Log } from './log.ts';
import { surviveUncaughtErrors } from './uncaught.ts';

export interface RunningService {
  port: number;
  stop(): Promise<void>;
}

/** What a process needs to know of any service. */
type ProcessEnvironment = Pick<ServiceEnvironment, 'LOG_LEVEL' | 'SLUICE_STOP_WITH_PARENT'>;

/**
 * Runs a service as a process: configuration, start, signals, orderly end. SIGTERM and SIGINT stop it gracefully; a
 * second one is ignored, so that what is in flight can end. Exit code 0 after a stop, 1 when it could not start.
 */
export async function runService<Environment extends ProcessEnvironment>(
  name: string,
  shape: z.ZodType<Environment>,
  start: (environment: Environment, log: Log) => Promise<RunningService>,
): Promise<void> {
  const environment = readOrExit(shape);
  const log = createLog(name, environment.LOG_LEVEL);
  const giveUp = (error: unknown) => exit(log, 'the service could not start', error);
  process.on('uncaughtException', giveUp).on('unhandledRejection', giveUp);
  // a start may wait for long
  const orphaned = () => process.exit(1);
  if (environment.SLUICE_STOP_WITH_PARENT) process.on('disconnect', orphaned);
  try {
    const service = await start(environment, log);
    process.off('disconnect', orphaned);
    process.off('uncaughtException', giveUp).off('unhandledRejection', giveUp);
    surviveUncaughtErrors(log);
    log.info('ready', { port: service.port });
    stopOnSignal(service, environment, log);
  } catch (error) {
    giveUp(error);
  }
}

function readOrExit<Environment>(shape: z.ZodType<Environment>): Environment {
  try {
    return readConfig(shape, process.env, { refusesMisspelled: true });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function stopOnSignal(service: RunningService, environment: ProcessEnvironment, log: Log): void {
  let stopping = false;
  const stop = (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info('stopping', { reason });
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => exit(log, 'the service did not stop cleanly', error),
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  if (environment.SLUICE_STOP_WITH_PARENT)
    process.on('disconnect', () => stop('the parent process has ended'));
}

function exit(log: Log, message: string, error: unknown): void {
  log.error(message, { error });
  // winston writes to a stream: let the line out before the process ends
  setTimeout(() => process.exit(1), 50);
}
