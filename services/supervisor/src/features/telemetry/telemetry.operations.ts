import type { AgentOperations } from '@sluice/contracts';
import { done, listed, ok, pageOf, type Answer, type Handlers, type Page } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { Agent } from '../agents/agent-authorizer.ts';
import type { TelemetryIntake } from './intake.service.ts';
import type { LogStreams } from './log-streams.ts';
import type { MeasuredPage, TelemetryService } from './telemetry.service.ts';
import { heartbeatView, lineView, measurementView } from './telemetry-view.ts';

export function telemetryOperations(telemetry: TelemetryService, streams: LogStreams) {
  const { metrics, heartbeats } = telemetry;
  return {
    listMetrics: (request) => measured(request, metrics, measurementView),
    listHeartbeats: (request) => measured(request, heartbeats, heartbeatView),
    listNodeMetrics: (request) => measured(request, metrics, measurementView),
    listNodeHeartbeats: (request) => measured(request, heartbeats, heartbeatView),
    async getMetricSeries({ params, query }) {
      const { times, columns, ...series } = await telemetry.series(params, query);
      const connector_instance_id = query.connector_instance ?? null;
      return ok({
        ...series,
        times: times.map((time) => time.toISOString()),
        columns: columns.map((column) => ({ ...column, connector_instance_id })),
      });
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

export const intakeOperations = (takeIn: TelemetryIntake) =>
  ({ postTelemetry: ({ caller, body }) => done(takeIn(caller, body)) }) satisfies Partial<
    Handlers<AgentOperations, Agent>
  >;

type Body<Item> = ReturnType<typeof listed<Item>>['body'] & {
  resolution_seconds: MeasuredPage['resolution'];
};

async function measured<Params, Query extends Parameters<typeof pageOf>[0], Item>(
  { params, query, url }: { params: Params; query: Query; url: string },
  list: (params: Params, query: Query, page: Page) => Promise<MeasuredPage>,
  view: (entry: MeasuredPage['entries'][number]) => Item,
): Promise<Answer<200, Body<Item>>> {
  const page = pageOf(query);
  const { entries, total, resolution } = await list(params, query, page);
  const { body, headers = {} } = listed(url, page, entries.map(view), total);
  return { status: 200, headers, body: { ...body, resolution_seconds: resolution } };
}
