import type { ConfigEntry, ConfigValue } from '@sluice/contracts';
import type { Destinations } from '@sluice/system/destinations';

/**
 * A plugin is one file in `plugins/`. The supervisor reads the schemas, the connectors runtime on the node runs the plugins; so a plugin
 * loads its client only when it is opened.
 */
export type ConnectorPlugin = SinkPlugin | SourcePlugin;

interface Plugin {
  key: string;
  schema: readonly ConfigEntry[];
}

export interface SinkPlugin extends Plugin {
  type: 'sink';
  /**
   * Makes a sink ready. @throws ConfigRefused when it can never work by this configuration; anything else is tried again, in growing
   * pauses
   */
  open(config: PluginConfig, context: PluginContext): Promise<Sink>;
}

export interface SourcePlugin extends Plugin {
  type: 'source';
  /**
   * Makes a source ready to go on behind `position`, or from its beginning without one. @throws ConfigRefused as for a sink
   */
  open(config: PluginConfig, context: PluginContext, position: string | null): Promise<Source>;
}

/** Values by key, read by the schema: defaults filled in, sizes as bytes, durations as milliseconds. */
export type PluginConfig = Readonly<Record<string, ConfigValue | null>>;

export interface PluginContext {
  /** names the instance, also to its destination: the same after a restart, no other instance of the deployment has it */
  instanceKey: string;
  folder: string;
  /** the addresses that the instance may connect to: every connection goes through this */
  destinations: Destinations;
  /** for people who operate the deployment; never with a secret in it */
  log: (
    level: 'debug' | 'info' | 'warn' | 'error',
    message: string,
    fields?: Record<string, unknown>,
  ) => void;
  /** aborted when the instance is to stop: what waits has to end */
  stopping: AbortSignal;
}

export interface OutgoingMessage {
  /** the same whenever the message comes again, so that a destination that can tell stores it once */
  id: string;
  stream: string;
  topic: string;
  payload: Uint8Array;
  headers: Readonly<Record<string, string>>;
  /** when the broker took it */
  published_at: Date;
  /** the same in nanoseconds since 1970: hardly two messages of a stream have the same */
  published_ns: bigint;
}

export interface Sink {
  /**
   * Takes a batch, in order, and resolves when none of it can be lost any more. A batch may come again after a crash. Anything thrown
   * has the whole batch tried again, in growing pauses, until the instance stops; `signal` ends an attempt that takes too long.
   * @returns those that this destination will never take: they become dead letters
   */
  write(batch: readonly OutgoingMessage[], signal: AbortSignal): Promise<readonly Rejected[]>;
  close(): Promise<void>;
}

export interface Rejected {
  id: string;
  reason: string;
}

export interface IncomingRecord {
  /** The same whenever the record is read again: within minutes the broker stores it once. */
  id: string;
  payload: Uint8Array;
  headers?: Readonly<Record<string, string>>;
}

export interface SourceBatch {
  records: readonly IncomingRecord[];
  /** where to go on once the records are in the broker, at most 4 KiB */
  position: string;
}

export interface Source {
  /**
   * The next records, in order; waits while there are none. Called again once the former batch is in the broker and its position is
   * kept. Anything thrown is tried again from the kept position.
   */
  read(signal: AbortSignal): Promise<SourceBatch>;
  /** The batches up to this position are in the broker: their origin may forget them. */
  acknowledge?(position: string): Promise<void>;
  close(): Promise<void>;
}

/** The configuration can never work. The message says what is wrong, without any secret. */
export class ConfigRefused extends Error {}

/** The destination asks for a pause of its own: the next attempt is made no sooner than after so many milliseconds. */
export class TryLater extends Error {
  readonly pauseMs: number;

  constructor(message: string, pauseMs: number) {
    super(message);
    this.pauseMs = pauseMs;
  }
}
