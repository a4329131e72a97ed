import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import { checkedUrl } from '../dial.ts';
import { envelopeTextOf, excerptOf, filledIn, jsonTextOf, templatePattern } from '../messages.ts';
import type { OutgoingMessage, PluginConfig, PluginContext, Rejected, Sink, SinkPlugin } from '../plugin.ts';
import { s3Client } from '../s3-client.ts';
import { authorityField, choice, field, optionalText, text, urlPattern } from '../schema.ts';

const compress = promisify(gzip);

/**
 * Writes batches as objects of JSON lines. An object is named after the messages in it: the same batch overwrites itself. One that is
 * cut in another way when it comes again makes other objects; the messages in them have their ids.
 */
export const objectStorageSink: SinkPlugin = {
  type: 'sink',
  key: 'object-storage',
  schema: [
    field(
      'endpoint',
      'string',
      'Endpoint',
      'http:// or https:// address of the storage; without it that of AWS',
      {
        pattern: `(?:${urlPattern})?`,
        destination: 'url',
      },
    ),
    field('region', 'string', 'Region', 'of the bucket', {
      default: 'us-east-1',
      pattern: '[a-z0-9-]{1,50}',
      destination: 'value',
    }),
    field('bucket', 'string', 'Bucket', 'which has to be there', {
      required: true,
      pattern: '[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]',
      destination: 'value',
    }),
    field('access_key_id', 'string', 'Access key', 'its id', {
      required: true,
      max: 200,
      destination: 'value',
    }),
    field('secret_access_key', 'secret', 'Secret access key', 'of the access key', {
      required: true,
      max: 200,
    }),
    field('session_token', 'secret', 'Session token', 'of temporary credentials'),
    field('path_style', 'bool', 'Path style', 'the bucket is in the path and not in the name of the server', {
      default: false,
      destination: 'value',
    }),
    field(
      'prefix',
      'string',
      'Prefix',
      'of names; {stream}, {topic}, {yyyy}, {mm}, {dd} and {hh} are filled in',
      {
        default: '{stream}/{yyyy}/{mm}/{dd}/',
        max: 500,
        pattern: `(?:${templatePattern('[A-Za-z0-9!_.*()/=-]')})?`,
      },
    ),
    choice(
      'content',
      'Content',
      'of a line: an object with the payload and what is known of it, or the payload alone',
      ['envelope', 'payload'],
    ),
    choice('compression', 'Compression', 'of objects', ['none', 'gzip']),
    authorityField,
  ],
  open: async (config, context) => new ObjectStorageSink(config, await clientFor(config, context)),
};

class ObjectStorageSink implements Sink {
  readonly #config: PluginConfig;
  readonly #client: S3Client;

  constructor(config: PluginConfig, client: S3Client) {
    this.#config = config;
    this.#client = client;
  }

  async write(batch: readonly OutgoingMessage[], signal: AbortSignal): Promise<Rejected[]> {
    const rejected: Rejected[] = [];
    const lines = new Map<string, { ids: string[]; text: string }>();
    for (const message of batch) {
      const line =
        text(this.#config, 'content') === 'payload' ? jsonTextOf(message) : envelopeTextOf(message);
      const prefix = filledIn(optionalText(this.#config, 'prefix') ?? '', message);
      const object = lines.get(prefix) ?? { ids: [], text: '' };
      if (line === undefined) rejected.push({ id: message.id, reason: 'The payload is not JSON' });
      else lines.set(prefix, { ids: [...object.ids, message.id], text: `${object.text}${line}\n` });
    }
    for (const [prefix, object] of lines) await this.#put(prefix, object, signal);
    return rejected;
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  async #put(prefix: string, { ids, text: lines }: { ids: string[]; text: string }, signal: AbortSignal) {
    const isCompressed = text(this.#config, 'compression') === 'gzip';
    const name = createHash('sha256').update(JSON.stringify(ids)).digest('hex').slice(0, 40);
    const { PutObjectCommand } = await import('@aws-sdk/client-s3');
    const command = new PutObjectCommand({
      Bucket: text(this.#config, 'bucket'),
      Key: `${prefix}${name}.ndjson${isCompressed ? '.gz' : ''}`,
      Body: isCompressed ? await compress(lines) : lines,
      ContentType: isCompressed ? 'application/gzip' : 'application/x-ndjson',
    });
    try {
      await this.#client.send(command, { abortSignal: signal });
    } catch (error) {
      signal.throwIfAborted();
      const { name: kind, message } = error as Error;
      const secrets = ['secret_access_key', 'session_token'].map((key) => optionalText(this.#config, key));
      throw new Error(excerptOf(`The storage answered ${kind}: ${message}`, secrets), { cause: error });
    }
  }
}

/** The keys are those of the configuration, never what the node itself could get from its environment or its cloud. */
async function clientFor(config: PluginConfig, { destinations }: PluginContext): Promise<S3Client> {
  const endpoint = optionalText(config, 'endpoint');
  if (endpoint !== null) checkedUrl('endpoint', endpoint, destinations);
  const sessionToken = optionalText(config, 'session_token');
  return await s3Client({
    endpoint,
    region: text(config, 'region'),
    credentials: {
      accessKeyId: text(config, 'access_key_id'),
      secretAccessKey: text(config, 'secret_access_key'),
      ...(sessionToken !== null && { sessionToken }),
    },
    pathStyle: config['path_style'] === true,
    ca: optionalText(config, 'tls_ca'),
    lookup: destinations.lookup,
  });
}
