import winston from 'winston';

export type Log = Pick<winston.Logger, 'error' | 'warn' | 'info' | 'debug'>;

/** A logger that writes one JSON object per line to standard output. Callers give it no secrets. */
export function createLog(level: string): Log {
  return winston.createLogger({
    level,
    format: winston.format.combine(timed(), winston.format.json()),
    transports: [new winston.transports.Console()],
  });
}

const timed = winston.format((entry) => Object.assign(entry, { time: new Date().toISOString() }));

/** What went wrong, as one line for a log entry or a status. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return error.message !== '' ? error.message : (code ?? error.name);
}
