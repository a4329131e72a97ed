import { listed, ok, pageOf, type Answer, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { LogStreams } from './log-streams.ts';
import type { MeasuredPage, TelemetryService } from './telemetry.service.ts';
import { heartbeatView, lineView, measurementView } from './telemetry-view.ts';

type View<Item> = (entry: MeasuredPage['entries'][number]) => Item;

export function telemetryOperations(telemetry: TelemetryService, streams: LogStreams) {
  return {
    async listMetrics({ params, query, url }) {
      const page = pageOf(query);
      return measured(url, page, await telemetry.metrics(params, query, page), measurementView);
    },
    async listHeartbeats({ params, query, url }) {
      const page = pageOf(query);
      return measured(url, page, await telemetry.heartbeats(params, query, page), heartbeatView);
    },
    async listNodeMetrics({ params, query, url }) {
      const page = pageOf(query);
      return measured(url, page, await telemetry.nodeMetrics(params, query, page), measurementView);
    },
    async listNodeHeartbeats({ params, query, url }) {
      const page = pageOf(query);
      return measured(url, page, await telemetry.nodeHeartbeats(params, query, page), heartbeatView);
    },
    async scrapeMetrics({ params }) {
      const content = await telemetry.scrape(params);
      return { ...ok(undefined), raw: { type: 'text/plain; version=0.0.4; charset=utf-8', content } };
    },
    async listLogLines({ params, query, url }) {
      const page = pageOf(query);
      const { lines, total, searchedFrom } = await telemetry.lines(params, query, page);
      const { body, headers, status } = listed(url, page, lines.map(lineView), total);
      return { status, headers, body: { ...body, searched_from: searchedFrom?.toISOString() ?? null } };
    },
    async streamLogLines({ params, query, signal, allowed }) {
      const content = await streams.open(params.deployment_id, query, { allowed, gone: signal });
      return { ...ok(undefined), raw: { type: 'text/event-stream', content } };
    },
  } satisfies Partial<Handlers<operations>>;
}

function measured<Item>(
  url: string,
  page: ReturnType<typeof pageOf>,
  { entries, total, resolution }: MeasuredPage,
  view: View<Item>,
): Answer<200, ReturnType<typeof listed<Item>>['body'] & { resolution_seconds: MeasuredPage['resolution'] }> {
  const { body, headers = {} } = listed(url, page, entries.map(view), total);
  return { status: 200, headers, body: { ...body, resolution_seconds: resolution } };
}
