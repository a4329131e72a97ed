import { startTracing, type Tracing, type TracingEnvironment } from '@sluice/system/tracing';
import { Counter, type Registry } from 'prom-client';
import metadata from '../package.json' with { type: 'json' };
import type { Log } from './log.ts';

/**
 * Has what a service does traced, where its environment asks for that.
 * @param sender the service, with the region of a supervisor: `supervisor/<cloud>/<region>`
 */
export async function traceService(
  environment: TracingEnvironment,
  sender: string,
  metrics: Registry,
  log: Log,
): Promise<Tracing | undefined> {
  const [service = sender, cloud, region] = sender.split('/');
  const attributes = {
    ...(cloud !== undefined && { 'cloud.provider': cloud }),
    ...(region !== undefined && { 'cloud.region': region }),
  };
  const tracing = await startTracing(environment, { service, version: metadata.version, attributes }, log);
  const counter = (name: string, help: string, value: () => number) =>
    new Counter({
      name,
      help,
      registers: [metrics],
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  counter(
    'sluice_spans_sent_total',
    'Spans that the receiver of traces has taken',
    () => tracing?.counts.sent ?? 0,
  );
  counter(
    'sluice_spans_lost_total',
    'Spans that were lost: the receiver of traces did not take them, or there were too many',
    () => tracing?.counts.lost ?? 0,
  );
  return tracing;
}
