import { createLog as createSystemLog, type Log } from '@sluice/system/log';
import { currentContext, currentTraceparent } from './request-context.ts';

export { redact, type Log } from '@sluice/system/log';

/**
 * A logger that writes one JSON object per line, with the request id and without secrets: to standard output, or to
 * standard error where a program's output is its answer.
 */
export function createLog(service: string, level: string, output: 'stdout' | 'stderr' = 'stdout'): Log {
  const context = () => {
    const [request_id, traceparent] = [currentContext()?.requestId, currentTraceparent()];
    return {
      ...(request_id !== undefined && { request_id }),
      ...(traceparent !== undefined && { traceparent }),
    };
  };
  return createSystemLog({ service, level, output, context });
}
