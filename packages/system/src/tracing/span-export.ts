import { TraceFlags } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';

/** What has become of spans since the start. */
export interface SpanCounts {
  sent: number;
  /** since the receiver was away, refused them or took too long, or there were too many */
  lost: number;
}

export interface ExportOptions {
  endpoint: string;
  headers: Record<string, string> | undefined;
  /** called after each attempt to send, with the error if it failed */
  outcome: (error: Error | undefined) => void;
}

/** spans that wait to be sent, or are being sent; what comes beyond is lost */
const mostWaiting = 4_096;
const mostInBatch = 512;
const pauseMilliseconds = 1_000;
const sendMilliseconds = 5_000;

/**
 * Sends spans in batches in the background. How many are kept is bounded, those on their way included, and each that is lost is
 * counted: the library bounds only those that have not left yet, and reports no loss.
 */
export function spanExport({ endpoint, headers, outcome }: ExportOptions, counts: SpanCounts): SpanProcessor {
  let waiting = 0;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    ...(headers && { headers }),
    timeoutMillis: sendMilliseconds,
  });
  const counting: SpanExporter = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        waiting -= spans.length;
        const isSent = result.code === ExportResultCode.SUCCESS;
        counts[isSent ? 'sent' : 'lost'] += spans.length;
        outcome(isSent ? undefined : (result.error ?? new Error('they were not taken')));
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor({
    exporter: counting,
    maxQueueSize: mostWaiting,
    maxExportBatchSize: mostInBatch,
    scheduledDelayMillis: pauseMilliseconds,
    exportTimeoutMillis: 2 * sendMilliseconds,
  });
  return {
    onStart: () => undefined,
    onEnd(span) {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
      if (waiting >= mostWaiting) return void counts.lost++;
      waiting++;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}
