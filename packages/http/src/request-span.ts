import { beginSpan, isTracing, type Span } from '@sluice/system/tracing';
import type { Request, Response } from 'express';
import type { Declaration } from './openapi/permission.ts';
import { currentContext } from '@sluice/service';
import type { AnswerLocals } from './app.ts';

interface Asked {
  operation: { operationId: string };
  declaration: Declaration;
}

/**
 * Begins the span of a request, which ends with its answer. It goes on with the trace of the caller, who has no say in whether it is
 * recorded. What agents do all the time is traced only as a part of something: when they say of what.
 * @returns undefined where it is not traced
 */
export function beginRequestSpan(
  request: Request,
  response: Response,
  asked: Asked | undefined,
): Span | undefined {
  if (!isTracing() || !asked) return undefined;
  const { operation, declaration } = asked;
  const parent = request.get('traceparent');
  if (declaration.kind === 'agent' && parent === undefined) return undefined;
  const context = currentContext();
  const span = beginSpan(operation.operationId, {
    kind: 'server',
    parent,
    trusted: false,
    attributes: { 'http.request.method': request.method, 'sluice.request_id': context?.requestId },
  });
  if (!span) return undefined;
  if (context) context.traceparent = span.traceparent;
  response.once('close', () => {
    const { tenant, user, key } = context?.caller ?? {};
    const status = response.writableFinished ? response.statusCode : 499;
    const { code } = response.locals as AnswerLocals;
    span.set({
      'http.response.status_code': status,
      'sluice.tenant': tenant,
      'sluice.user': user,
      'sluice.key': key,
      'sluice.problem': code,
    });
    span.end(status >= 500 ? { code: code ?? String(status) } : undefined);
  });
  return span;
}
