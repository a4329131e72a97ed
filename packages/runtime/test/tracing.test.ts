import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  aGrant,
  client,
  eventually,
  metricsOf,
  newestGrant,
  publishGrant,
  traceReceiver,
  type Client,
  type ReceivedSpan,
  type TraceReceiver,
  collectedLog,
} from '@sluice/testing';
import { isTracing, traced, tracedWithin } from '@sluice/system/tracing';
import { widgetService, type WidgetService } from './widget-service.ts';
import { GrantLeases } from '@sluice/grants';
import { consume, sight } from './messages.ts';

// rights are not what these are about
const on = widgetService({ environment: { GRANT_LEASE_SECONDS: '10' } });
let receiver: TraceReceiver;
let widgets: WidgetService;
let api: Client;
let lines: Record<string, unknown>[];

/** Starts the service anew, with these settings of tracing beside the receiver. */
async function start(more: Record<string, string> = {}): Promise<void> {
  const { log, lines: collected } = collectedLog();
  lines = collected;
  widgets = await on.widgets(
    { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...more },
    { ownsStreams: true },
    log,
  );
  const leases = new GrantLeases(on.nats, on.topology, 10);
  await leases.open();
  api = client(widgets.url, await publishGrant(on, aGrant()));
  await leases.waitUntilApplied(await newestGrant(on));
  leases.close();
  await eventually(async () => expect((await client(widgets.url).get('/readyz')).status).toBe(200));
}

beforeAll(async () => (receiver = await traceReceiver()));
beforeEach(() => {
  receiver.mode = 'takes';
  receiver.spans.length = 0;
});
afterEach(() => widgets.stop());
afterAll(() => receiver.close());

const theirTrace = 'a'.repeat(32);
const traceparent = (flags: string, traceId = theirTrace) => `00-${traceId}-${'b'.repeat(16)}-${flags}`;
const make = (name: string, headers: Record<string, string> = {}) =>
  api.request('POST', '/tenants/1/widgets', { name }, headers);
let made = 0;
/** Makes a widget with a name of its own. */
const makeOne = (headers: Record<string, string> = {}) => make(`w${++made}`, headers);
const named = (name: string) => receiver.spans.filter((span) => span.name === name);
const parentOf = ({ parentSpanId }: ReceivedSpan) =>
  receiver.spans.find(({ spanId }) => spanId === parentSpanId);

test('a request, its statements, its message and what comes of that are one trace', async () => {
  await start({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20key-of-ours' });
  await consume(widgets, sight);
  const { status, headers } = await make('wheel', { traceparent: traceparent('00') });
  expect(status).toBe(201);
  await eventually(() =>
    expect([named('createWidget'), named('handle reader')].map(({ length }) => length)).toEqual([1, 1]),
  );
  const [request] = named('createWidget');
  const [published] = named('publish events');
  const [handled] = named('handle reader');
  const insert = receiver.spans.find((span) =>
    String(span.attributes['db.query.text']).startsWith('INSERT INTO widgets'),
  );
  const sighting = receiver.spans.find((span) =>
    String(span.attributes['db.query.text']).includes('sightings'),
  );
  expect(request).toMatchObject({
    traceId: theirTrace,
    parentSpanId: 'b'.repeat(16),
    service: 'main-api',
    attributes: {
      'http.response.status_code': 201,
      'sluice.request_id': headers.get('svc-request'),
      'sluice.tenant': 1,
    },
  });
  expect([insert, published].map((span) => span && parentOf(span))).toEqual([request, request]);
  expect(handled && parentOf(handled)).toEqual(published);
  expect(sighting && parentOf(sighting)).toEqual(handled);
  expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set([theirTrace]));
  expect(receiver.headers.authorization).toBe('Bearer key-of-ours');
  // values are not told, nor where they stand
  expect(receiver.text).not.toContain('wheel');
  expect(receiver.text).not.toContain('key-of-ours');
  await eventually(async () =>
    expect(await metricsOf(widgets.url)).toMatch(/^sluice_spans_sent_total [1-9]/m),
  );
});

test('what failed is told by its code, and what is no operation or asked all the time is not told', async () => {
  await start();
  await make('limit');
  await make('away');
  await client(widgets.url).get('/metrics');
  await client(widgets.url).get('/nothing');
  await eventually(() => expect(named('createWidget')).toHaveLength(2));
  const [refused, away] = named('createWidget');
  expect(refused).toMatchObject({ failed: false, attributes: { 'sluice.problem': 'limit_reached' } });
  expect(away).toMatchObject({ failed: true, attributes: { 'error.type': 'unavailable' } });
  expect(receiver.spans.filter(({ parentSpanId }) => parentSpanId === '')).toHaveLength(2);
});

test('whether a trace is recorded is not for the caller to say', async () => {
  await start({ OTEL_TRACES_SAMPLER_ARG: '0' });
  await makeOne({ traceparent: traceparent('01') });
  await widgets.stop();
  expect(receiver.spans).toEqual([]);
  // the message says so as well, whether it was sent before the stop or not
  const [row] = await on.sql<{ headers: { traceparent: string } }>(
    `SELECT headers FROM (SELECT id, headers FROM outbox UNION ALL SELECT id, headers FROM outbox_sent) AS messages
     ORDER BY id DESC LIMIT 1`,
  );
  expect(row?.headers.traceparent).toMatch(new RegExp(`^00-${theirTrace}-[0-9a-f]{16}-00$`));
});

test.each(['refuses', 'hangs'] as const)(
  'a receiver that %s costs requests nothing, and is told of',
  async (mode) => {
    await start();
    receiver.mode = mode;
    const before = receiver.requests;
    await eventually(async () => {
      expect((await makeOne()).status).toBe(201);
      expect(receiver.requests).toBeGreaterThan(before);
    });
    if (mode === 'hangs') return;
    await eventually(async () =>
      expect(await metricsOf(widgets.url)).toMatch(/^sluice_spans_lost_total [1-9]/m),
    );
    expect(lines.filter(({ message }) => String(message).startsWith('traces cannot be sent'))).toHaveLength(
      1,
    );
    receiver.mode = 'takes';
    await eventually(async () => {
      await makeOne();
      expect(lines.map(({ message }) => message)).toContain('traces are sent again');
    });
  },
);

test('no more than so many spans are kept, and none of a piece of work beyond its share', async () => {
  await start();
  receiver.mode = 'hangs';
  await traced('much', {}, async () => {
    for (let i = 0; i < 600; i++) await tracedWithin('inner', {}, async () => undefined);
  });
  for (let i = 0; i < 10_000; i++) await traced('many', {}, async () => undefined);
  const lost = Number(/^sluice_spans_lost_total (\d+)$/m.exec(await metricsOf(widgets.url))?.[1]);
  // 501 of the first, and 4,096 at most are kept in all
  expect(lost).toBeGreaterThanOrEqual(10_000 + 501 - 4_096);
  receiver.mode = 'takes';
});

test('without a receiver nothing is traced, and nothing of it is loaded', async () => {
  await start({ OTEL_EXPORTER_OTLP_ENDPOINT: '' });
  expect(isTracing()).toBe(false);
  expect((await makeOne()).status).toBe(201);
  const program = `
    import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });
    const { startTracing } = await import(${JSON.stringify(join(import.meta.dirname, '../../system/src/tracing/index.ts'))});
    await startTracing({ OTEL_TRACES_SAMPLER_ARG: 1 }, { service: 's', version: '1' }, console);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  expect(stdout).toContain('tracing/start.ts');
  expect(stdout).not.toContain('opentelemetry');
});
