import { httpFields, httpServer, laterError, verdictOf, type HttpServer } from '../http.ts';
import { envelopeOf, jsonOf, toldBy } from '../messages.ts';
import type { OutgoingMessage, PluginConfig, Rejected, Sink, SinkPlugin } from '../plugin.ts';
import { choice, field, number, text } from '../schema.ts';

/** Sends messages to a web address. A message can come again, with the same `svc-message`. */
export const httpSink: SinkPlugin = {
  type: 'sink',
  key: 'http',
  schema: [
    ...httpFields,
    choice('method', 'Method', 'of each request', ['POST', 'PUT', 'PATCH']),
    choice(
      'body',
      'Body',
      'what a request holds: one message as it is, a JSON array of messages, or one message of JSON a line',
      ['message', 'json', 'ndjson'],
    ),
    choice('content', 'Content', 'the payload alone, or an object with the payload and what is known of it', [
      'payload',
      'envelope',
    ]),
    field('content_type', 'string', 'Content type', 'of single messages', {
      default: 'application/octet-stream',
      pattern: '[\\x20-\\x7e]+',
    }),
    field('max_body', 'size', 'Largest body', 'a batch is sent in as many requests as it takes', {
      default: 1_048_576,
      min: 1_024,
      max: 33_554_432,
    }),
  ],
  open: async (config, { destinations }) => new HttpSink(config, await httpServer(config, destinations)),
};

interface Piece {
  messages: readonly OutgoingMessage[];
  parts: readonly (string | Uint8Array)[];
}

class HttpSink implements Sink {
  readonly #server: HttpServer;
  readonly #config: PluginConfig;
  /** those of a batch that could not be finished: they are not sent again with it */
  readonly #taken = new Set<string>();

  constructor(config: PluginConfig, server: HttpServer) {
    this.#config = config;
    this.#server = server;
  }

  async write(batch: readonly OutgoingMessage[], signal: AbortSignal): Promise<Rejected[]> {
    const rejected: Rejected[] = [];
    const left = batch.filter(({ id }) => !this.#taken.has(id));
    for (const piece of this.#pieces(left, rejected)) rejected.push(...(await this.#send(piece, signal)));
    this.#taken.clear();
    return rejected;
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  /** Requests of at most `max_body` each; what cannot be sent at all is rejected. */
  #pieces(batch: readonly OutgoingMessage[], rejected: Rejected[]): Piece[] {
    const most = number(this.#config, 'max_body');
    const single = text(this.#config, 'body') === 'message';
    const pieces: { messages: OutgoingMessage[]; parts: (string | Uint8Array)[]; bytes: number }[] = [];
    for (const message of batch) {
      const part = this.#partOf(message);
      // its comma or its end of line, and the brackets
      const bytes = part === undefined ? 0 : Buffer.byteLength(part) + 3;
      const last = pieces.at(-1);
      if (part === undefined) rejected.push({ id: message.id, reason: 'The payload is not JSON' });
      else if (bytes > most) rejected.push({ id: message.id, reason: `Larger than ${most} bytes` });
      else if (single || !last || last.bytes + bytes > most)
        pieces.push({ messages: [message], parts: [part], bytes });
      else {
        last.messages.push(message);
        last.parts.push(part);
        last.bytes += bytes;
      }
    }
    return pieces;
  }

  /** Undefined for a payload that does not fit between others. */
  #partOf(message: OutgoingMessage): string | Uint8Array | undefined {
    if (text(this.#config, 'content') === 'envelope') return JSON.stringify(envelopeOf(message));
    if (text(this.#config, 'body') === 'message') return message.payload;
    const json = jsonOf(message);
    return json === undefined ? undefined : JSON.stringify(json);
  }

  /** Sends a piece; one that the server refuses is halved until what it refuses is found. */
  async #send({ messages, parts }: Piece, signal: AbortSignal): Promise<Rejected[]> {
    const { status, headers, body } = await this.#server.request({
      method: text(this.#config, 'method') as 'POST' | 'PUT' | 'PATCH',
      url: this.#server.url,
      headers: this.#headersOf(messages),
      body: this.#bodyOf(parts),
      signal,
      mostBytes: 1_024,
    });
    const told = `The server answered ${status} ${toldBy(body, this.#server.secrets)}`.trim();
    switch (verdictOf(status)) {
      case 'later':
        throw laterError(told, headers);
      case 'taken':
        for (const { id } of messages) this.#taken.add(id);
        return [];
      case 'never':
        break;
    }
    const [only] = messages;
    if (only && messages.length === 1) return [{ id: only.id, reason: told }];
    const middle = Math.ceil(messages.length / 2);
    const halves = [
      { messages: messages.slice(0, middle), parts: parts.slice(0, middle) },
      { messages: messages.slice(middle), parts: parts.slice(middle) },
    ];
    const rejected: Rejected[] = [];
    for (const half of halves) rejected.push(...(await this.#send(half, signal)));
    return rejected;
  }

  #headersOf(messages: readonly OutgoingMessage[]): Record<string, string> {
    const body = text(this.#config, 'body');
    const [message] = messages;
    if (body !== 'message' || !message)
      return { 'content-type': body === 'ndjson' ? 'application/x-ndjson' : 'application/json' };
    const isEnvelope = text(this.#config, 'content') === 'envelope';
    return {
      'content-type': isEnvelope ? 'application/json' : text(this.#config, 'content_type'),
      'svc-message': encodeURIComponent(message.id),
      'svc-stream': encodeURIComponent(message.stream),
      'svc-topic': encodeURIComponent(message.topic),
    };
  }

  #bodyOf(parts: readonly (string | Uint8Array)[]): string | Uint8Array {
    const body = text(this.#config, 'body');
    if (body === 'json') return `[${parts.join(',')}]`;
    if (body === 'ndjson') return parts.map((part) => `${part as string}\n`).join('');
    return parts[0] ?? '';
  }
}
