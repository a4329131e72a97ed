import { BatchSink, type Part as BatchPart } from '../batch-sink.ts';
import { httpFields, httpServer, laterError, verdictOf, type HttpServer } from '../http.ts';
import { envelopeTextOf, jsonTextOf } from '../messages.ts';
import type { OutgoingMessage, SinkPlugin } from '../plugin.ts';
import { pieces } from '../progress.ts';
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

interface Part extends BatchPart {
  content: string | Uint8Array;
  bytes: number;
}

class HttpSink extends BatchSink<Part, HttpServer> {
  protected override async send(parts: readonly Part[], signal: AbortSignal): Promise<void> {
    const isSingle = text(this.config, 'body') === 'message';
    const most = isSingle ? 0 : number(this.config, 'max_body');
    for (const piece of pieces(parts, most)) await this.#sendPiece(piece, signal);
  }

  protected override partOf(message: OutgoingMessage): Part | string {
    const content = this.#contentOf(message);
    const most = number(this.config, 'max_body');
    // with its comma or its end of line, and the brackets
    const bytes = content === undefined ? 0 : Buffer.byteLength(content) + 3;
    if (content !== undefined && bytes <= most) return { message, content, bytes };
    return content === undefined ? 'The payload is not JSON' : `Larger than ${most} bytes`;
  }

  /** Undefined for a payload that does not fit between others. */
  #contentOf(message: OutgoingMessage): string | Uint8Array | undefined {
    if (text(this.config, 'content') === 'envelope') return envelopeTextOf(message);
    if (text(this.config, 'body') === 'message') return message.payload;
    return jsonTextOf(message);
  }

  /** Sends a piece; one that the server refuses is halved until what it refuses is found. */
  async #sendPiece(piece: readonly Part[], signal: AbortSignal): Promise<void> {
    const answer = await this.server.sendRequest({
      method: text(this.config, 'method') as 'POST' | 'PUT' | 'PATCH',
      url: this.server.url,
      headers: this.#headersOf(piece),
      body: this.#bodyOf(piece),
      signal,
      mostBytes: 1_024,
    });
    const reason = this.server.responseExcerpt(answer);
    const verdict = verdictOf(answer.status);
    if (verdict === 'later') throw laterError(reason, answer.headers);
    if (verdict === 'taken') return this.taken(piece);
    await this.divide(piece, reason, (half) => this.#sendPiece(half, signal));
  }

  #headersOf([part]: readonly Part[]): Record<string, string> {
    const body = text(this.config, 'body');
    if (body !== 'message' || !part)
      return { 'content-type': body === 'ndjson' ? 'application/x-ndjson' : 'application/json' };
    const isEnvelope = text(this.config, 'content') === 'envelope';
    const { id, stream, topic } = part.message;
    return {
      'content-type': isEnvelope ? 'application/json' : text(this.config, 'content_type'),
      'svc-message': encodeURIComponent(id),
      'svc-stream': encodeURIComponent(stream),
      'svc-topic': encodeURIComponent(topic),
    };
  }

  #bodyOf(piece: readonly Part[]): string | Uint8Array {
    const body = text(this.config, 'body');
    const contents = piece.map(({ content }) => content);
    if (body === 'json') return `[${contents.join(',')}]`;
    if (body === 'ndjson') return contents.map((content) => `${content as string}\n`).join('');
    return contents[0] ?? '';
  }
}
