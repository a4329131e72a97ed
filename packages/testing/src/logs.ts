import { Writable } from 'node:stream';
import winston, { type Logger } from 'winston';

export const silentLog = (): Logger => winston.createLogger({ silent: true });

/** A log whose lines a test can look at. */
export function collectedLog(): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push(JSON.parse(line.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { log: winston.createLogger({ transports: [new winston.transports.Stream({ stream })] }), lines };
}
