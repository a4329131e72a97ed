import { createHash } from 'node:crypto';
import type { ConfigEntry } from '@sluice/contracts';
import { BatchSink, type Part } from './batch-sink.ts';
import { httpFields, httpServer, laterError, verdictOf, type HttpResponse, type HttpServer } from './http.ts';
import { documentOf, envelopeTextOf, filledIn, templatePattern } from './messages.ts';
import type { OutgoingMessage, PluginConfig, SinkPlugin } from './plugin.ts';
import { pieces } from './progress.ts';
import { choice, field, number, optionalText, text } from './schema.ts';

/**
 * A sink for a server with the bulk API that Elasticsearch and OpenSearch have in common. A document's id is that of its message, so
 * that a repetition changes nothing.
 */
export function bulkSink(key: string): SinkPlugin {
  return {
    type: 'sink',
    key,
    schema,
    open: async (config, { destinations }) => new BulkSink(config, await httpServer(config, destinations)),
  };
}

const schema: readonly ConfigEntry[] = [
  ...httpFields,
  field(
    'index',
    'string',
    'Index',
    'its name, or one per day as in orders-{yyyy}.{mm}.{dd}; also {stream}, {topic}, {hh}',
    {
      required: true,
      max: 200,
      pattern: templatePattern('[a-z0-9._-]'),
    },
  ),
  choice(
    'operation',
    'Operation',
    'index: a document that is there is replaced; create: it stays (data streams want that)',
    ['index', 'create'],
  ),
  choice(
    'content',
    'Content',
    'the payload, which has to be a JSON object, or an object with the payload and what is known of it',
    ['payload', 'envelope'],
  ),
  field('pipeline', 'string', 'Pipeline', 'of the server, through which documents go', {
    max: 200,
    pattern: '[A-Za-z0-9._-]*',
  }),
  field('max_body', 'size', 'Largest body', 'a batch is sent in as many requests as it takes', {
    default: 5_242_880,
    min: 1_024,
    max: 33_554_432,
  }),
];

interface Line extends Part {
  content: string;
  bytes: number;
}

/** the parts of an answer with the outcome of each document */
const answerFields = 'errors,items.*.status,items.*.error.type,items.*.error.reason';
const mostAnswerBytes = 16 * 1_048_576;

class BulkSink extends BatchSink<Line, HttpServer> {
  readonly #url: URL;

  constructor(config: PluginConfig, server: HttpServer) {
    super(config, server);
    this.#url = new URL(server.url);
    this.#url.pathname = `${this.#url.pathname.replace(/\/$/, '')}/_bulk`;
    this.#url.searchParams.set('filter_path', answerFields);
    const pipeline = optionalText(config, 'pipeline');
    if (pipeline !== null) this.#url.searchParams.set('pipeline', pipeline);
  }

  protected override async send(lines: readonly Line[], signal: AbortSignal): Promise<void> {
    for (const piece of pieces(lines, number(this.config, 'max_body'))) await this.#sendPiece(piece, signal);
  }

  protected override partOf(message: OutgoingMessage): Line | string {
    const isEnvelope = text(this.config, 'content') === 'envelope';
    const written = isEnvelope ? envelopeTextOf(message) : documentOf(message);
    const most = number(this.config, 'max_body');
    const content = `${JSON.stringify(this.#actionOf(message))}\n${written}\n`;
    const bytes = Buffer.byteLength(content);
    if (written !== undefined && bytes <= most) return { message, content, bytes };
    return written === undefined ? 'The payload is not a JSON object' : `Larger than ${most} bytes`;
  }

  #actionOf(message: OutgoingMessage) {
    const { id } = message;
    // the longest that an id may be
    const _id = Buffer.byteLength(id) <= 512 ? id : createHash('sha256').update(id).digest('hex');
    const _index = filledIn(text(this.config, 'index'), message).toLowerCase();
    return { [text(this.config, 'operation')]: { _index, _id } };
  }

  async #sendPiece(piece: readonly Line[], signal: AbortSignal): Promise<void> {
    const answer = await this.server.sendRequest({
      method: 'POST',
      url: this.#url,
      headers: { 'content-type': 'application/x-ndjson', accept: 'application/json' },
      body: piece.map(({ content }) => content).join(''),
      signal,
      mostBytes: mostAnswerBytes,
    });
    const reason = this.server.responseExcerpt(answer);
    if (answer.status === 413)
      return await this.divide(piece, reason, (half) => this.#sendPiece(half, signal));
    // anything else that is no success is about the request as a whole
    if (verdictOf(answer.status) !== 'taken') throw laterError(reason, answer.headers);
    this.#takeOutcomes(piece, answer);
  }

  #takeOutcomes(piece: readonly Line[], answer: HttpResponse): void {
    const outcomes = readOutcomes(answer, piece.length);
    const isCreated = text(this.config, 'operation') === 'create';
    let later: string | null = null;
    piece.forEach(({ message }, place) => {
      const { status, reason } = outcomes[place] ?? { status: 0, reason: '' };
      // the document is there from an earlier attempt
      const verdict = status === 409 && isCreated ? 'taken' : verdictOf(status);
      const excerpt = this.server.excerpt(`${reason} (${status})`);
      if (verdict === 'taken') this.progress.taken(message);
      else if (verdict === 'never') this.progress.refused(message, excerpt);
      else later ??= excerpt;
    });
    if (later !== null)
      throw laterError(`The server put off some documents: ${later as string}`, answer.headers);
  }
}

interface Outcome {
  status: number;
  reason: string;
}

/** @throws Error for an answer without the outcome of each document */
function readOutcomes({ body, isCut }: HttpResponse, count: number): Outcome[] {
  const read = isCut ? null : parsed(body);
  if (read?.errors === false) return Array.from({ length: count }, () => ({ status: 200, reason: '' }));
  const items = Array.isArray(read?.items) ? read.items : [];
  if (items.length !== count) throw new Error('The server answered what is no answer of a bulk request');
  return items.map(outcomeOf);
}

function parsed(body: string): { errors?: unknown; items?: unknown } | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function outcomeOf(item: unknown): Outcome {
  const [about] = Object.values((item ?? {}) as Record<string, unknown>);
  const { status, error } = (about ?? {}) as {
    status?: unknown;
    error?: { type?: unknown; reason?: unknown } | string;
  };
  const reason =
    typeof error === 'object' ? [error.type, error.reason].map(asText).join(': ') : asText(error);
  return { status: typeof status === 'number' ? status : 0, reason };
}

const asText = (value: unknown) => (typeof value === 'string' ? value : '');
