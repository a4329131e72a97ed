import type { LogLine } from '@sluice/contracts';

/** `[pid] 2026/03/14 09:26:53.589793 [INF] Server is ready`; the time is that of the machine's zone. */
const shape = /^\[\d+\] (\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?\d* \[([A-Z]{3})\] (.*)$/;

const levels = new Map<string, LogLine['level']>([
  ['TRC', 'debug'],
  ['DBG', 'debug'],
  ['INF', 'info'],
  ['WRN', 'warn'],
  ['ERR', 'error'],
  ['FTL', 'error'],
]);

/** Null for a line that is not nats-server's own. */
export function readLogLine(line: string): { at: Date; level: LogLine['level']; message: string } | null {
  const [, ...parts] = shape.exec(line) ?? [];
  const [year, month, day, hour, minute, second, millisecond = 0] = parts
    .slice(0, 7)
    .map((part) => Number(part ?? 0));
  const [level, message] = parts.slice(7);
  if (message === undefined || year === undefined || month === undefined) return null;
  return {
    at: new Date(year, month - 1, day, hour, minute, second, millisecond),
    level: levels.get(level ?? '') ?? 'info',
    message,
  };
}
