import type { StreamDeclaration } from '@sluice/contracts';
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamAPI,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { repeat, type Repeating } from '@sluice/controller';
import type { Log } from '@sluice/service';
import { watchConnection } from './nats.ts';

/** A stream as NATS has it: made at another time, it is another one, whose sequences begin anew. */
export interface StreamState {
  name: string;
  /** when it was made, as NATS writes it */
  created: string;
  lastSequence: number;
}

export interface StreamsOptions {
  nats: NatsConnection;
  /** what this service sends to or reads from */
  streams: readonly StreamDeclaration[];
  /** whether this service makes them, and makes them again when NATS has lost them; the others wait until it has */
  owner: boolean;
  /** on how many servers each is kept; default: 1 */
  replicas?: number | undefined;
  /** called with each stream whenever it has been looked at */
  seen?: (stream: StreamState) => void;
  /** called for a stream that could not be looked at, before it is made again */
  missing?: (name: string) => void;
  log: Log;
  /** how often to look, in milliseconds; besides at once when the connection is back */
  everyMilliseconds?: number;
}

/** Looks after the streams of a service for as long as it runs, so that nothing has to be restarted when NATS loses them. */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #present = new Set<string>();
  /** those that were logged */
  readonly #missing = new Set<string>();
  /** the same, of those that NATS does not change */
  readonly #unchangeable = new Set<string>();
  #manager: JetStreamManager | undefined;
  #looking: Repeating | undefined;

  constructor(options: StreamsOptions) {
    this.#options = options;
  }

  /** Resolves after the first look, also when it fails. */
  async start(): Promise<void> {
    const { nats, streams, everyMilliseconds = 2_000 } = this.#options;
    watchConnection(nats, {
      lost: () => this.#present.clear(),
      back: () => this.#looking?.wake(),
    });
    this.#looking = repeat({
      every: everyMilliseconds / 1_000,
      run: () => Promise.all(streams.map((stream) => this.#look(stream))),
      // a look handles its own errors
      failed: () => undefined,
    });
    await this.#looking.first;
  }

  async stop(): Promise<void> {
    await this.#looking?.stop();
  }

  /** Rejects while a stream is not there, for readiness. */
  async check(): Promise<void> {
    const missing = this.#options.streams.filter(({ name }) => !this.#present.has(name));
    if (missing.length > 0)
      throw new Error(`not known to be there: ${missing.map(({ name }) => name).join(', ')}`);
  }

  async #look(stream: StreamDeclaration): Promise<void> {
    const { seen, missing, log } = this.#options;
    try {
      const { created, state } = await this.#find(stream);
      this.#present.add(stream.name);
      if (this.#missing.delete(stream.name)) log.info('a stream is there', { stream: stream.name, created });
      seen?.({ name: stream.name, created, lastSequence: state.last_seq });
    } catch (error) {
      this.#present.delete(stream.name);
      missing?.(stream.name);
      if (!this.#missing.has(stream.name))
        log.warn('a stream is not there; it is looked for until it is', { stream: stream.name, error });
      this.#missing.add(stream.name);
    }
  }

  /** The stream; its owner makes it if there is none, and adapts it. Several replicas may do so at the same time. */
  async #find(stream: StreamDeclaration): Promise<StreamInfo> {
    this.#manager ??= await jetstreamManager(this.#options.nats, { checkAPI: false, timeout: 2_000 });
    const { streams } = this.#manager;
    try {
      const info = await streams.info(stream.name);
      return this.#options.owner ? await this.#adapt(streams, info, stream) : info;
    } catch (error) {
      if (!this.#options.owner || !isMissingStream(error)) throw error;
      this.#options.missing?.(stream.name);
      this.#options.log.warn('a stream is made', { stream: stream.name });
      return await streams.add({
        ...adaptable(stream, this.#options.replicas),
        name: stream.name,
        retention: stream.retention === 'workqueue' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
        storage: StorageType.File,
      });
    }
  }

  /** A stream that NATS does not change, such as to more replicas than it has servers, is there all the same. */
  async #adapt(streams: StreamAPI, info: StreamInfo, stream: StreamDeclaration): Promise<StreamInfo> {
    const wanted = adaptable(stream, this.#options.replicas);
    if (isAsWanted(info.config, wanted)) {
      this.#unchangeable.delete(stream.name);
      return info;
    }
    try {
      return await streams.update(stream.name, wanted);
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || isMissingStream(error)) throw error;
      if (!this.#unchangeable.has(stream.name))
        this.#options.log.error('NATS does not change a stream; it stays as it was', {
          stream: stream.name,
          error,
        });
      this.#unchangeable.add(stream.name);
      return info;
    }
  }
}

/** What of a stream can be changed. */
function adaptable({ subjects, maxAgeSeconds, limits }: StreamDeclaration, replicas = 1) {
  return {
    subjects,
    max_age: nanos(maxAgeSeconds * 1000),
    duplicate_window: nanos(2 * 60_000),
    num_replicas: replicas,
    discard: limits ? DiscardPolicy.New : DiscardPolicy.Old,
    discard_new_per_subject: limits !== undefined,
    max_bytes: limits?.bytes ?? -1,
    max_msgs_per_subject: limits?.messagesPerSubject ?? -1,
  };
}

/** NATS leaves out what is false. */
function isAsWanted(config: StreamConfig, wanted: ReturnType<typeof adaptable>): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => JSON.stringify(config[name as keyof StreamConfig] ?? false) === JSON.stringify(value),
  );
}

function isMissingStream(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}
