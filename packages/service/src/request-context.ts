import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Grant } from '@sluice/contracts';
import { activeTraceparent, withoutSpan } from '@sluice/system/tracing';
import { problem } from './problem.ts';

/** What identifies the piece of work that is being done: a request, or the handling of a message. */
export interface RequestContext {
  /** 32 hex digits, sent back as `svc-request` */
  requestId: string;
  /** W3C trace context of this hop, passed on to the service that is called next */
  traceparent: string;
  /** who is calling, by ids, once that is known: for the log */
  caller?: { tenant: number; user: number; key?: number };
  /** the grant of the caller before it is authorized: for the record of refusals */
  holder?: Grant;
  /** set when the request has been answered with `deadline_exceeded`: it must not commit anything from then on */
  isPastDeadline?: boolean;
  /** Answers the request with what went wrong, unless it has been answered. A message has no caller to answer. */
  fail?: (error: unknown) => void;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` within `context`; log lines and messages written meanwhile carry its ids. */
export function withContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** Runs `work` that serves many callers outside of the context of the one that starts it. */
export function withoutContext<T>(work: () => T): T {
  return storage.exit(() => withoutSpan(work));
}

export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** The W3C trace context of the work at hand, to be passed on: of the span, where there is one. */
export const currentTraceparent = () => activeTraceparent() ?? storage.getStore()?.traceparent;

/** A context of its own that continues the caller's trace, if there is one. */
export function newContext(traceparent?: string, correlationId?: string | null): RequestContext {
  return {
    requestId: (correlationId ?? randomUUID()).replaceAll('-', ''),
    traceparent: continueTrace(traceparent),
  };
}

/** The correlation id (UUID) of everything that the context's request causes: the request id in another form. */
export function correlationId(context: RequestContext): string {
  return context.requestId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const traceShape = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

function continueTrace(traceparent: string | undefined): string {
  const [, traceId, flags] = traceShape.exec(traceparent ?? '') ?? [];
  return `00-${traceId ?? randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-${flags ?? '01'}`;
}

/** Called in a transaction, last before its commit. @throws Problem `deadline_exceeded` when its request has been answered so */
export function refuseAfterDeadline(): void {
  if (currentContext()?.isPastDeadline) throw problem('deadline_exceeded');
}
