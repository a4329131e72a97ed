import type { Log } from '../log.ts';
import type { TracedProgram } from './open-telemetry.ts';
import type { TracingEnvironment } from './settings.ts';
import type { SpanCounts } from './span-export.ts';
import { useTracer } from './span.ts';

export interface Tracing {
  readonly counts: SpanCounts;
  /** Sends what is left, for two seconds at most, and traces nothing more. */
  stop(): Promise<void>;
}

/**
 * Has the work of this process traced, where the environment names a receiver. Without one nothing is loaded: OpenTelemetry costs each
 * program 0.14 s of CPU at its start.
 */
export async function startTracing(
  environment: TracingEnvironment,
  program: TracedProgram,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<Tracing | undefined> {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
    OTEL_TRACES_SAMPLER_ARG: share,
  } = environment;
  if (endpoint === undefined) return undefined;
  const { openTracer } = await import('./open-telemetry.ts');
  let isLosing = false;
  const { tracer, counts, close } = openTracer({
    ...{ endpoint, headers, share, program },
    outcome: (error) => {
      const isNews = isLosing !== (error !== undefined);
      isLosing = error !== undefined;
      if (!isNews) return;
      if (isLosing) log.warn('traces cannot be sent; they are lost until they can', { error });
      else log.info('traces are sent again', { lost: counts.lost });
    },
  });
  useTracer(tracer);
  return {
    counts,
    async stop() {
      useTracer(undefined);
      await close();
    },
  };
}
