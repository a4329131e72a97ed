import winston from 'winston';
import { currentContext } from './request-context.ts';

export type Log = Pick<winston.Logger, 'error' | 'warn' | 'info' | 'debug'>;

const secretField =
  /(^|[_-])(password|passwd|secret|token|authorization|cookie|credentials?|private_key|api[_-]?key)$/i;
const secretText: [RegExp, string][] = [
  [/\bsvc_[0-9A-Za-z]{20,}\b/g, 'svc_***'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+(\.[\w-]+\.[\w-]+)?/g, '***'],
  [/(\w+:\/\/[^\s:/@]+):[^\s@/]+@/g, '$1:***@'],
];

/** `value` with everything taken out that must not be read in a log: named secrets, tokens, passwords in addresses. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string')
    return secretText.reduce((text, [shape, mask]) => text.replace(shape, mask), value);
  if (value instanceof Error)
    return redact({ name: value.name, message: value.message, stack: value.stack }, depth);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth > 6) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      secretField.test(key) && typeof item === 'string' ? '***' : redact(item, depth + 1),
    ]),
  );
}

const clean = winston.format((entry) => {
  const context = currentContext();
  const fields = redact({ ...entry }) as winston.Logform.TransformableInfo;
  return Object.assign(
    entry,
    fields,
    context && { request_id: context.requestId, traceparent: context.traceparent },
  );
});

/**
 * A logger that writes one JSON object per line, with the request id and without secrets: to standard output, or to
 * standard error where a program's output is its answer.
 */
export function createLog(service: string, level: string, output: 'stdout' | 'stderr' = 'stdout'): Log {
  return winston.createLogger({
    level,
    defaultMeta: { service },
    format: winston.format.combine(clean(), winston.format.timestamp(), winston.format.json()),
    transports: [
      new winston.transports.Console({
        stderrLevels: output === 'stderr' ? ['error', 'warn', 'info', 'debug'] : [],
      }),
    ],
  });
}
