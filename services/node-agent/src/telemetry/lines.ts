import type { LogLine } from '@sluice/contracts';
import { redact } from '@sluice/system/log';
import { z } from 'zod';

export interface ReadLine {
  /** by this machine's clock */
  at: Date;
  level: LogLine['level'];
  message: string;
}

const longestMessage = 4_000;

/** without secrets, and valid and short enough for the supervisor */
export function cleanMessage(message: string, secrets: readonly string[]): string {
  const text = String(redact(message)).toWellFormed().replaceAll('\0', '�');
  const hidden = secrets.reduce((soFar, secret) => soFar.replaceAll(secret, '***'), text);
  return hidden.length <= longestMessage
    ? hidden
    : hidden
        .slice(0, longestMessage - 1)
        .toWellFormed()
        .slice(0, longestMessage - 1) + '…';
}

const ownLineSchema = z.looseObject({ level: z.string(), message: z.string(), timestamp: z.string() });
const levels = new Map<string, LogLine['level']>([
  ['debug', 'debug'],
  ['info', 'info'],
  ['warn', 'warn'],
  ['error', 'error'],
]);
/** the agent writes what these say on their control connection */
const spokenFor = /^(gateway|connectors)(?: runtime)?: /;

/** A line of the agent's own log: the agent's, or one that another program has sent it. */
export function readOwnLine(text: string): (ReadLine & Pick<LogLine, 'runtime'>) | null {
  const line = ownLineSchema.safeParse(parsed(text)).data;
  if (!line) return null;
  const { level, message, timestamp, ...fields } = line;
  delete fields['service'];
  const [prefix = '', runtime = 'agent'] = spokenFor.exec(message) ?? [];
  const more = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : '';
  return {
    at: new Date(timestamp),
    level: levels.get(level) ?? 'info',
    message: message.slice(prefix.length) + more,
    runtime: runtime as LogLine['runtime'],
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
