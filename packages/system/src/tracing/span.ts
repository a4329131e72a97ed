import { AsyncLocalStorage } from 'node:async_hooks';

/** What kind of part of a trace a piece of work is, as OpenTelemetry calls them. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A piece of work as a part of its trace. */
export interface Span {
  /** W3C trace context, for the process that continues the work */
  readonly traceparent: string;
  /** whether it is exported */
  readonly isRecorded: boolean;
  /** Adds what is known by now; never anything secret. */
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** @param failure what was thrown, of which only the kind is exported: its message may hold secrets */
  end(failure?: unknown): void;
}

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** the trace that this goes on with, begun elsewhere; default: the work at hand */
  parent?: string | undefined;
  /** whether the origin of that trace decides if it is recorded; callers from outside do not. Default: yes */
  trusted?: boolean;
}

/** Begins spans. There is one while traces are wanted. */
export interface Tracer {
  begin(name: string, options: SpanOptions, within: Span | undefined): Span;
}

let tracer: Tracer | undefined;
const active = new AsyncLocalStorage<Span>();

/** Has all work from now on traced by this one; undefined: none. */
export function useTracer(next: Tracer | undefined): void {
  tracer = next;
}

export const isTracing = () => tracer !== undefined;

/** The trace context of the work at hand, where that is traced. */
export const activeTraceparent = () => active.getStore()?.traceparent;

/** Begins a span that its caller ends; undefined while nothing is traced. */
export function beginSpan(name: string, options: SpanOptions = {}): Span | undefined {
  return tracer?.begin(name, options, active.getStore());
}

/** As `beginSpan`, for what is worth a span only as a part of something that is recorded. */
export function beginInnerSpan(name: string, options: SpanOptions = {}): Span | undefined {
  const around = active.getStore();
  return around?.isRecorded ? tracer?.begin(name, options, around) : undefined;
}

/** Does work as that of a span, which is not ended by that. */
export function withinSpan<T>(span: Span | undefined, work: () => T): T {
  return span ? active.run(span, work) : work();
}

/** Does work that belongs to no trace, also when a traced request starts it. */
export function withoutSpan<T>(work: () => T): T {
  return active.exit(work);
}

/** Does work as a span of its own, from its beginning to its end. Without a tracer it is done and nothing else. */
export async function traced<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  return await finished(beginSpan(name, options), work);
}

/** As `traced`, for what is worth a span only as a part of something that is recorded. */
export async function tracedWithin<T>(
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  return await finished(beginInnerSpan(name, options), work);
}

async function finished<T>(span: Span | undefined, work: (span: Span | undefined) => Promise<T>): Promise<T> {
  if (!span) return await work(undefined);
  try {
    const result = await active.run(span, () => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
