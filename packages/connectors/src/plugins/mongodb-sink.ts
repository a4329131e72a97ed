import type { AnyBulkWriteOperation, Collection, MongoClient, MongoClientOptions } from 'mongodb';
import { DestinationRefused } from '@sluice/system/destinations';
import { checkHost } from '../dial.ts';
import { KeptConnection } from '../kept-connection.ts';
import { envelopeOf, excerptOf, jsonOf } from '../messages.ts';
import type { OutgoingMessage, PluginConfig, PluginContext, Rejected, Sink, SinkPlugin } from '../plugin.ts';
import { choice, field, list, optionalText, text, tlsFields } from '../schema.ts';

/** Inserts messages as documents whose `_id` is the message's, so that a repetition changes nothing. */
export const mongodbSink: SinkPlugin = {
  type: 'sink',
  key: 'mongodb',
  schema: [
    field(
      'hosts',
      'list',
      'Hosts',
      'each as name or name:port; one alone is taken as it is, without those it knows of',
      {
        required: true,
        min: 1,
        max: 20,
        pattern: '(?:[A-Za-z0-9_.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])(?::[0-9]{1,5})?',
        destination: 'host',
      },
    ),
    field('srv', 'bool', 'Look hosts up', 'the one host names others, as in mongodb+srv://', {
      default: false,
      destination: 'value',
    }),
    field('replica_set', 'string', 'Replica set', 'its name', {
      max: 100,
      pattern: '[A-Za-z0-9_.-]*',
      destination: 'value',
    }),
    field('username', 'string', 'User name', 'of a role that may insert', { max: 200 }),
    field('password', 'secret', 'Password', 'of the user'),
    field('auth_database', 'string', 'Database of the user', 'where the user is defined', {
      default: 'admin',
      max: 63,
    }),
    ...tlsFields,
    field('database', 'string', 'Database', 'in which the collection is', {
      required: true,
      pattern: '[^/\\\\. "$*<>:|?\\0]{1,63}',
    }),
    field('collection', 'string', 'Collection', 'which is made if it is not there', {
      required: true,
      pattern: '(?!system\\.)[^$\\0]{1,120}',
    }),
    choice(
      'content',
      'Content',
      'of a document: an object with the payload and what is known of it, or the payload, which has to be a JSON object',
      ['envelope', 'payload'],
    ),
  ],
  async open(config, context) {
    for (const host of list(config, 'hosts')) checkHost(host.replace(/:\d+$/, ''), context.destinations);
    return new MongoSink(config, context);
  },
};

interface Connection {
  client: MongoClient;
  collection: Collection;
}

class MongoSink implements Sink {
  readonly #config: PluginConfig;
  readonly #context: PluginContext;
  readonly #connection: KeptConnection<Connection>;

  constructor(config: PluginConfig, context: PluginContext) {
    this.#config = config;
    this.#context = context;
    this.#connection = new KeptConnection({
      connect: (_, ended) => this.#connect(ended),
      end: ({ client }) => client.close(),
      quit: ({ client }) => client.close(),
      readable: (error) => new Error(this.#excerpt(error.message), { cause: error }),
    });
  }

  async write(batch: readonly OutgoingMessage[], signal: AbortSignal): Promise<Rejected[]> {
    const rejected: Rejected[] = [];
    const documents = batch.flatMap((message) => this.#documentOf(message, rejected) ?? []);
    if (documents.length === 0) return rejected;
    const refusals = await this.#connection.use(signal, ({ collection }) => insert(collection, documents));
    return [...rejected, ...refusals.map(({ id, reason }) => ({ id, reason: this.#excerpt(reason) }))];
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  #documentOf(message: OutgoingMessage, rejected: Rejected[]): Document | null {
    if (text(this.#config, 'content') === 'envelope') {
      const { id, ...about } = envelopeOf(message);
      return { ...about, _id: id, published_at: message.published_at };
    }
    const json = jsonOf(message);
    if (typeof json === 'object' && json !== null && !Array.isArray(json))
      return { ...json, _id: message.id };
    rejected.push({ id: message.id, reason: 'The payload is not a JSON object' });
    return null;
  }

  async #connect(ended: (error: Error) => void): Promise<Connection> {
    const { MongoClient: Client } = await import('mongodb');
    const client = new Client(addressOf(this.#config), optionsFor(this.#config, this.#context));
    const refuse = (error: Error) => {
      ended(error);
      void client.close().catch(() => {});
    };
    // servers name their neighbours; by an address that would be connected to without being looked up
    client.on('serverOpening', ({ address }) => {
      try {
        this.#context.destinations.check(address.replace(/:\d+$/, ''));
      } catch (error) {
        refuse(error as DestinationRefused);
      }
    });
    // the driver would go on until its time is up
    client.on('serverHeartbeatFailed', ({ failure }) => {
      if (failure.cause instanceof DestinationRefused) refuse(failure.cause);
    });
    const collection = client.db(text(this.#config, 'database')).collection(text(this.#config, 'collection'));
    return { client, collection };
  }

  #excerpt(reason: string): string {
    return excerptOf(reason, [optionalText(this.#config, 'password')]);
  }
}

interface Document {
  _id: string;
  [field: string]: unknown;
}

function addressOf(config: PluginConfig): string {
  const scheme = config['srv'] === true ? 'mongodb+srv' : 'mongodb';
  return `${scheme}://${list(config, 'hosts').join(',')}/`;
}

/** No option of an address is taken: some read files of this machine, or its cloud's metadata. */
function optionsFor(config: PluginConfig, { destinations, instanceKey }: PluginContext): MongoClientOptions {
  const replicaSet = optionalText(config, 'replica_set');
  const username = optionalText(config, 'username');
  const ca = optionalText(config, 'tls_ca');
  const isAlone = list(config, 'hosts').length === 1 && config['srv'] !== true && replicaSet === null;
  return {
    appName: `sluice ${instanceKey}`,
    lookup: destinations.lookup,
    tls: text(config, 'tls') === 'verify',
    ...(ca !== null && { ca }),
    ...(isAlone && { directConnection: true }),
    ...(replicaSet !== null && { replicaSet }),
    ...(username !== null && {
      auth: { username, password: optionalText(config, 'password') ?? '' },
      authSource: text(config, 'auth_database'),
    }),
    // none of it can be lost any more
    writeConcern: { w: 'majority', journal: true },
    maxPoolSize: 2,
    connectTimeoutMS: 10_000,
    serverSelectionTimeoutMS: 10_000,
    socketTimeoutMS: 60_000,
  };
}

/** @returns what the collection refuses for good. @throws when any of the others has to be sent again */
async function insert(collection: Collection, documents: readonly Document[]): Promise<Rejected[]> {
  const { MongoBulkWriteError } = await import('mongodb');
  const operations = documents.map(
    (document) => ({ insertOne: { document } }) as unknown as AnyBulkWriteOperation,
  );
  try {
    await collection.bulkWrite(operations, { ordered: false, ignoreUndefined: true });
    return [];
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
    const errors = [error.writeErrors].flat();
    // the driver gives this form to a connection that was lost, too
    if (error.insertedCount + errors.length < documents.length) throw error;
    const failures = errors.filter(({ code, errmsg }) => !isThereAlready(code, errmsg ?? ''));
    const passing = failures.find(({ code }) => !refusals.includes(code));
    if (passing)
      throw new Error(`The server answered ${passing.errmsg ?? ''} (${passing.code})`, { cause: error });
    return failures.map(({ index, errmsg, code }) => ({
      id: documents[index]?._id ?? '',
      reason: `${errmsg ?? ''} (${code})`,
    }));
  }
}

const isThereAlready = (code: number, message: string) =>
  code === 11_000 && /index: _id_\b|\b_id_? dup key/.test(message);

/**
 * Of documents as such: what does not have the form that the collection wants (121), has names or values that cannot be kept (2, 9,
 * 14, 22, 52, 54 to 57), breaks a unique index (11000), is too large (10334, 17280, 17419).
 */
const refusals = [2, 9, 14, 22, 52, 54, 55, 56, 57, 121, 10_334, 11_000, 17_280, 17_419];
