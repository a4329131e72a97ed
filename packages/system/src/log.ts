import { Writable } from 'node:stream';
import winston from 'winston';
import { lineWriter } from './line-writer.ts';
import { redact } from './redact.ts';

export { redact } from './redact.ts';

export type Log = Pick<winston.Logger, 'error' | 'warn' | 'info' | 'debug'>;

export interface LogOptions {
  /** the name of the program */
  service: string;
  level: string;
  /** where a program's output is its answer, the log goes to standard error; default: standard output */
  output?: 'stdout' | 'stderr';
  /** Called with each line as well. */
  also?: (line: string) => void;
  /** Fields that tell which piece of work a line belongs to, asked for at each line. */
  context?: () => Record<string, unknown> | undefined;
}

/** A logger that writes one JSON object per line, without secrets. */
export function createLog({ service, level, output = 'stdout', also, context }: LogOptions): Log {
  const clean = winston.format((entry) => {
    const fields = redact({ ...entry }) as winston.Logform.TransformableInfo;
    return Object.assign(entry, fields, context?.());
  });
  return winston.createLogger({
    level,
    defaultMeta: { service },
    format: winston.format.combine(clean(), winston.format.timestamp(), winston.format.json()),
    transports: [
      new winston.transports.Stream({ stream: lineWriter(process[output]) }),
      ...(also ? [new winston.transports.Stream({ stream: listener(also) })] : []),
    ],
  });
}

function listener(also: (line: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      also(line);
      done();
    },
  });
}
