import type { ChainableCommander, Redis } from 'ioredis';
import { BatchSink, type Part } from '../batch-sink.ts';
import { valueAt } from '../exact-json.ts';
import { envelopeTextOf, filledIn, jsonOf } from '../messages.ts';
import type { OutgoingMessage, SinkPlugin } from '../plugin.ts';
import { pieces } from '../progress.ts';
import { RedisServer, redisFields } from '../redis.ts';
import { choice, field, number, text } from '../schema.ts';

/** what `key` may hold between braces */
const placeholder = 'id|stream|topic|yyyy|mm|dd|hh|payload(?:\\.[^{}.\\p{Cc}]{1,100}){1,10}';

/** Writes messages to a server of Redis: entries of a stream, items of a list, messages of a channel, or values under keys. */
export const redisSink: SinkPlugin = {
  type: 'sink',
  key: 'redis',
  schema: [
    ...redisFields,
    choice(
      'mode',
      'Mode',
      'what a message becomes: an entry of a stream, an item of a list, a message of a channel, a value',
      ['stream', 'list', 'channel', 'key'],
    ),
    field(
      'key',
      'string',
      'Key',
      'the name of the stream, list, channel or value; may hold {id}, {stream}, {topic}, {yyyy}, {mm}, {dd}, {hh}, and values in a payload ' +
        'of JSON such as {payload.customer.id}',
      { required: true, max: 1_000, pattern: `(?:[^{}\\p{Cc}]|\\{(?:${placeholder})\\})+` },
    ),
    choice('end', 'End', 'of a list, to which items are added', ['right', 'left']),
    field(
      'max_length',
      'int',
      'Longest',
      'entries of a stream, about so many, or items of a list; 0 for any number',
      {
        default: 0,
        min: 0,
        max: 1_000_000_000,
      },
    ),
    field('ttl', 'duration', 'Time to live', 'of a value; 0 for ever', {
      default: '0s',
      min: 0,
      max: 3_650 * 24 * 3_600_000,
    }),
    choice(
      'content',
      'Content',
      'of items, messages and values: an object with the payload and what is known of it, or the payload; entries of streams have both as fields',
      ['envelope', 'payload'],
    ),
  ],
  open: async (config, context) => new RedisSink(config, new RedisServer(config, context)),
};

const longestKey = 1_024;
const mostBytes = 1_048_576;

interface Write extends Part {
  key: string;
  bytes: number;
}

class RedisSink extends BatchSink<Write, RedisServer> {
  protected override async send(writes: readonly Write[], signal: AbortSignal): Promise<void> {
    for (const piece of pieces(writes, mostBytes))
      await this.server.write(signal, (redis) => this.#writeAll(redis, piece));
  }

  protected override partOf(message: OutgoingMessage): Write | string {
    const key = keyOf(text(this.config, 'key'), message);
    if (key !== null && Buffer.byteLength(key) <= longestKey)
      return { message, key, bytes: message.payload.length };
    return key === null
      ? 'The payload has no value for the key'
      : `The key has more than ${longestKey} bytes`;
  }

  /** One transaction: what the server refuses before it begins is refused as a whole, so the order stays. */
  async #writeAll(redis: Redis, piece: readonly Write[]): Promise<void> {
    const transaction = redis.multi();
    for (const write of piece) this.#add(transaction, write);
    const longest = number(this.config, 'max_length');
    if (text(this.config, 'mode') === 'list' && longest > 0) {
      const isRight = text(this.config, 'end') === 'right';
      for (const key of new Set(piece.map((write) => write.key)))
        transaction.ltrim(key, isRight ? -longest : 0, isRight ? -1 : longest - 1);
    }
    const answers = (await transaction.exec()) ?? [];
    const failure = answers.find(([error]) => error !== null)?.[0];
    for (const [at, { message }] of piece.entries())
      if (answers[at]?.[0] === null) this.progress.taken(message);
    if (failure) throw failure;
  }

  #add(transaction: ChainableCommander, { message, key }: Write): void {
    const mode = text(this.config, 'mode');
    const longest = number(this.config, 'max_length');
    if (mode === 'stream') {
      const bound = longest === 0 ? [] : ['MAXLEN', '~', longest];
      transaction.call('XADD', key, ...bound, '*', ...fieldsOf(message));
      return;
    }
    const isPayload = text(this.config, 'content') === 'payload';
    const value = Buffer.from(isPayload ? message.payload : envelopeTextOf(message));
    if (mode === 'channel') transaction.publish(key, value);
    else if (mode === 'key') this.#set(transaction, key, value);
    else if (text(this.config, 'end') === 'right') transaction.rpush(key, value);
    else transaction.lpush(key, value);
  }

  #set(transaction: ChainableCommander, key: string, value: Buffer): void {
    const ttl = number(this.config, 'ttl');
    if (ttl === 0) transaction.set(key, value);
    else transaction.set(key, value, 'PX', ttl);
  }
}

function fieldsOf({
  id,
  stream,
  topic,
  headers,
  published_at,
  payload,
}: OutgoingMessage): (string | Buffer)[] {
  const about = {
    id,
    stream,
    topic,
    published_at: published_at.toISOString(),
    headers: JSON.stringify(headers),
  };
  return [...Object.entries(about).flat(), 'payload', Buffer.from(payload)];
}

/** The name for a message; null where its payload lacks a value of it. */
function keyOf(template: string, message: OutgoingMessage): string | null {
  const parts = template.split(/(\{(?:id|payload\.[^{}]+)\})/).map((part) => {
    if (part === '{id}') return message.id;
    const path = /^\{payload\.(.+)\}$/.exec(part)?.[1];
    return path === undefined
      ? filledIn(part, message)
      : plainText(valueAt(jsonOf(message), path.split('.')));
  });
  return parts.includes(null) ? null : parts.join('');
}

/** A text, a number or a truth value in JSON; null for anything else. */
function plainText(value: unknown): string | null {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? String(value) : null;
}
