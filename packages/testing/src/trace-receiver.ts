import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as it was sent. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** '' of the first of its trace */
  parentSpanId: string;
  name: string;
  /** which program has sent it */
  service: string;
  attributes: Record<string, unknown>;
  failed: boolean;
}

/** A receiver of traces by OTLP over HTTP, in JSON. */
export interface TraceReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** all that was received, as it came */
  readonly text: string;
  /** the headers of what came last */
  readonly headers: IncomingMessage['headers'];
  /** requests that have come */
  readonly requests: number;
  /** what it does with what comes: take it, refuse it for good, or not answer until it does something else */
  mode: 'takes' | 'refuses' | 'hangs';
  close(): Promise<void>;
}

/** What OTLP's JSON says, as much of it as is read. */
interface Exported {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: SentSpan[] }[];
  }[];
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface SentSpan extends Pick<ReceivedSpan, 'traceId' | 'spanId' | 'name'> {
  parentSpanId?: string;
  attributes?: Attribute[];
  status?: { code?: number };
}

export async function traceReceiver(): Promise<TraceReceiver> {
  const received: string[] = [];
  let headers: IncomingMessage['headers'] = {};
  let requests = 0;
  let mode: TraceReceiver['mode'] = 'takes';
  const hanging = new Set<ServerResponse>();
  const server = createServer((request, response) => void take(request, response));
  const receiver: TraceReceiver = {
    url: '',
    spans: [],
    get mode() {
      return mode;
    },
    set mode(next) {
      mode = next;
      for (const response of hanging) response.destroy();
      hanging.clear();
    },
    get text() {
      return received.join('\n');
    },
    get headers() {
      return headers;
    },
    get requests() {
      return requests;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    requests += 1;
    headers = request.headers;
    if (mode === 'hangs') return void hanging.add(response);
    if (mode === 'refuses') return void response.writeHead(400).end();
    received.push(body);
    receiver.spans.push(...spansOf(JSON.parse(body) as Exported));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}

function spansOf({ resourceSpans }: Exported): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId = '', name, attributes = [], status }) => ({
        ...{ traceId, spanId, parentSpanId, name, service },
        attributes: valuesOf(attributes),
        failed: status?.code === 2,
      })),
    );
  });
}

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
