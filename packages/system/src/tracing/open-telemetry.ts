import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind as Kinds,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span as OpenSpan,
  type SpanContext,
} from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { spanExport, type ExportOptions, type SpanCounts } from './span-export.ts';
import type { Attributes, Span, SpanKind, Tracer } from './span.ts';

/** Who is telling. */
export interface TracedProgram {
  service: string;
  version: string;
  /** what is worth knowing of each of its spans, such as its region */
  attributes?: Record<string, string>;
}

export interface TracerOptions extends ExportOptions {
  /** of the traces that begin here, or come from outside, which are recorded */
  share: number;
  program: TracedProgram;
}

const closeMilliseconds = 2_000;
/** spans within one piece of work in this process */
const mostWithin = 500;
const spanLimits = {
  attributeValueLengthLimit: 1_000,
  attributeCountLimit: 24,
  eventCountLimit: 4,
  linkCountLimit: 4,
};
const kinds: Record<SpanKind, Kinds> = {
  internal: Kinds.INTERNAL,
  server: Kinds.SERVER,
  client: Kinds.CLIENT,
  producer: Kinds.PRODUCER,
  consumer: Kinds.CONSUMER,
};

/** Makes spans of OpenTelemetry, and sends them by OTLP over HTTP. */
export function openTracer(options: TracerOptions) {
  const { share, program } = options;
  const counts: SpanCounts = { sent: 0, lost: 0 };
  const sampler = new TraceIdRatioBasedSampler(share);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': program.service,
      'service.version': program.version,
      ...program.attributes,
    }),
    sampler: new ParentBasedSampler({ root: sampler }),
    spanLimits,
    spanProcessors: [spanExport(options, counts)],
  });
  const spans = provider.getTracer('sluice');

  /** The trace that is gone on with. Whether one that comes from outside is recorded is decided here, as if it had begun here. */
  function elsewhere(traceparent: string, trusted: boolean): Context {
    const parent = spanContextOf(traceparent);
    if (!parent) return ROOT_CONTEXT;
    const { decision } = sampler.shouldSample(ROOT_CONTEXT, parent.traceId);
    const flags = decision === SamplingDecision.RECORD_AND_SAMPLED ? TraceFlags.SAMPLED : TraceFlags.NONE;
    return trace.setSpanContext(ROOT_CONTEXT, trusted ? parent : { ...parent, traceFlags: flags });
  }

  const tracer: Tracer = {
    begin(name, { kind = 'internal', attributes = {}, parent, trusted = true }, within) {
      const settings = { kind: kinds[kind], attributes: present(attributes) };
      if (parent === undefined && within instanceof OwnSpan) return within.inner(spans, name, settings);
      const around = parent === undefined ? ROOT_CONTEXT : elsewhere(parent, trusted);
      return new OwnSpan(spans.startSpan(name, settings, around), { left: mostWithin, leftOut: 0 }, true);
    },
  };

  async function close(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeMilliseconds);
    await Promise.race([provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
  }

  return { tracer, counts, close };
}

type Spans = ReturnType<TracerProvider['getTracer']>;

/** How many spans a piece of work may still have within it. */
interface Room {
  left: number;
  leftOut: number;
}

class OwnSpan implements Span {
  readonly #span: OpenSpan;
  readonly #room: Room;
  /** whether the room is its own, and not that of a span around it */
  readonly #isOutermost: boolean;

  constructor(span: OpenSpan, room: Room, isOutermost: boolean) {
    this.#span = span;
    this.#room = room;
    this.#isOutermost = isOutermost;
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  get isRecorded(): boolean {
    return this.#span.isRecording();
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(present(attributes));
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  end(failure?: unknown): void {
    if (failure !== undefined) {
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
      this.#span.setAttribute('error.type', kindOf(failure));
    }
    const { leftOut } = this.#room;
    if (this.#isOutermost && leftOut > 0) this.#span.setAttribute('sluice.spans_left_out', leftOut);
    this.#span.end();
  }

  /** A span within this one. A span beyond the limit takes this one's context and is not exported. */
  inner(spans: Spans, name: string, settings: Parameters<Spans['startSpan']>[1]): Span {
    if (this.#room.left <= 0) {
      this.#room.leftOut++;
      return { traceparent: this.traceparent, isRecorded: false, ...silent };
    }
    this.#room.left--;
    const around = trace.setSpan(ROOT_CONTEXT, this.#span);
    return new OwnSpan(spans.startSpan(name, settings, around), this.#room, false);
  }
}

const silent = { set: () => undefined, rename: () => undefined, end: () => undefined };

function present(attributes: Attributes): Record<string, string | number | boolean> {
  const entries = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

function spanContextOf(traceparent: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? [];
  const context = { traceId, spanId, traceFlags: parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

/** What went wrong, in a word: the code that it has, else its class. */
function kindOf(failure: unknown): string {
  if (typeof failure !== 'object' || failure === null) return typeof failure;
  const { code, name } = failure as { code?: unknown; name?: unknown };
  const word = [code, name].find((candidate) => typeof candidate === 'string' && candidate !== '');
  return typeof word === 'string' ? word.slice(0, 60) : 'unknown';
}
