import { BatchSink, type Part } from '../batch-sink.ts';
import { httpFields, httpServer, laterError, type HttpServer } from '../http.ts';
import { LineProtocol, NoPoint } from '../line-protocol.ts';
import { templatePattern } from '../messages.ts';
import type { OutgoingMessage, PluginConfig, SinkPlugin } from '../plugin.ts';
import { choice, field, optionalText, text } from '../schema.ts';

/** Writes messages as points. A point is known by its measurement, its tags and its time, so that a repetition changes nothing. */
export const influxdbSink: SinkPlugin = {
  type: 'sink',
  key: 'influxdb',
  schema: [
    ...httpFields,
    choice(
      'api',
      'API',
      'v2: of InfluxDB 2 and 3, with a token; v1: of InfluxDB 1, and of others that have it',
      ['v2', 'v1'],
    ),
    field('bucket', 'string', 'Bucket', 'of v2, or the database of v1', { required: true, max: 200 }),
    field('org', 'string', 'Organization', 'of the bucket, by name or id, for v2', { max: 200 }),
    field('retention_policy', 'string', 'Retention policy', 'of the database, for v1', { max: 200 }),
    field('measurement', 'string', 'Measurement', 'its name, which may hold {stream} and {topic}', {
      required: true,
      max: 200,
      pattern: templatePattern('[^{}\\p{Cc}]'),
    }),
    field(
      'tags',
      'list',
      'Tags',
      'each as "name=source"; a source is id, stream, topic, a header as in headers.region, or a value in a payload of JSON as in ' +
        'payload.customer.region',
    ),
    field(
      'fields',
      'list',
      'Fields',
      'each as "name=source"; without any what the payload has besides tags and time',
    ),
    field('integers', 'list', 'Integers', 'names of fields whose numbers are integers; others are floats'),
    field(
      'timestamp',
      'string',
      'Time',
      'the source of the time, as RFC 3339 or as a number; without it the time at which the message was published',
    ),
    choice('timestamp_unit', 'Unit of the time', 'of times that are numbers', ['ms', 's', 'us', 'ns']),
  ],
  async open(config, { destinations }) {
    const { escape } = await import('@influxdata/influxdb-client');
    const lines = new LineProtocol(config, escape);
    return new InfluxdbSink(config, lines, await httpServer(config, destinations, 'Token'));
  },
};

interface Point extends Part {
  line: string;
}

/** what InfluxDB says when it does not take points as such: all, or some of them */
const refusals = [400, 413, 422];
/** and when it misses something else: that is for people to set right, and loses no message */
const aboutRequest = /either orgID or org/i;

class InfluxdbSink extends BatchSink<Point, HttpServer> {
  readonly #lines: LineProtocol;
  readonly #url: URL;

  constructor(config: PluginConfig, lines: LineProtocol, server: HttpServer) {
    super(config, server);
    this.#lines = lines;
    this.#url = new URL(server.url);
    const isV2 = text(config, 'api') === 'v2';
    this.#url.pathname = `${this.#url.pathname.replace(/\/$/, '')}${isV2 ? '/api/v2/write' : '/write'}`;
    const parameters: Record<string, string | null> = isV2
      ? { bucket: text(config, 'bucket'), org: optionalText(config, 'org') }
      : { db: text(config, 'bucket'), rp: optionalText(config, 'retention_policy') };
    for (const [name, value] of Object.entries({ ...parameters, precision: 'ns' }))
      if (value !== null) this.#url.searchParams.set(name, value);
  }

  protected override partOf(message: OutgoingMessage): Point | string {
    try {
      return { message, line: this.#lines.lineOf(message) };
    } catch (error) {
      if (error instanceof NoPoint) return error.message;
      throw error;
    }
  }

  /** Points of which the server refuses some are halved until those are found; the others are written again, which changes nothing. */
  protected override async send(points: readonly Point[], signal: AbortSignal): Promise<void> {
    if (points.length === 0) return;
    const answer = await this.server.sendRequest({
      method: 'POST',
      url: this.#url,
      headers: { 'content-type': 'text/plain; charset=utf-8', accept: 'application/json' },
      body: points.map(({ line }) => `${line}\n`).join(''),
      signal,
    });
    if (answer.status === 204) return this.taken(points);
    const reason = this.server.responseExcerpt(answer);
    if (!refusals.includes(answer.status) || aboutRequest.test(answer.body))
      throw laterError(reason, answer.headers);
    await this.divide(points, reason, (half) => this.send(half, signal));
  }
}
