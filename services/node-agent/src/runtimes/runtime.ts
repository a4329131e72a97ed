import { join } from 'node:path';
import type {
  BrokerCapacity,
  BrokerStatistics,
  DesiredState,
  LogLevel,
  Protocol,
  ReportedCluster,
  ReportedConsumer,
  ReportedStream,
} from '@sluice/contracts';
import { programFiles } from '../runtime-folder.ts';
import type { Check } from '../snapshots/check.ts';

export type DesiredBroker = DesiredState['broker'];

/** A page for people that the node serves at `broker_http`, where the broker itself serves none. */
export interface BrokerPage {
  /** the folder of its built files */
  files: string;
  /** whether the broker's WebSocket, to which the page speaks, expects TLS */
  isSecure(broker: DesiredBroker): boolean;
}

export interface BrokerRuntime {
  /** with `broker_http` where there is a `page` */
  readonly protocols: readonly Protocol[];
  readonly page?: BrokerPage;
  /** absent where the node's own programs, such as connectors, cannot log in */
  readonly ownLogins?: OwnLogins;
  /**
   * The desired state in the product's own terms.
   * @param ownLogins public parts of logins of the node's own programs, which the broker admits like the deployment's clients
   * @param clusterPort where it listens for the others of its cluster; null where it is by itself
   * @throws ConfigurationRefused
   */
  configure(
    broker: DesiredBroker,
    ownLogins?: readonly string[],
    clusterPort?: number | null,
  ): BrokerConfiguration;
  check(configuration: BrokerConfiguration, pid: number): Promise<void>;
  readonly program: string;
  /** one of the arguments is `configurationFile` */
  arguments(configurationFile: string): string[];
  /** Has the program read a configuration and end, with 0 if it is valid; absent where it cannot. */
  testArguments?(configurationFile: string): string[];
  /** The environment variables that the program needs besides to read a configuration. */
  testEnvironment?(configuration: BrokerConfiguration): Record<string, string>;
  /** The program's objection to a configuration, for people: without paths of the node. */
  testReason?(configurationFile: string, output: string): string;
  /** The process's objection to a configuration that it was to load, from its log since then; undefined if it gives none. */
  reloadReason?(pid: number, lines: readonly string[]): string | undefined;
  /**
   * Clears away what a former process has left, before a new one starts.
   * @returns environment variables of the process, for what its configuration file must not contain
   * @throws Error when the configuration lacks the key of the data that is stored
   */
  prepare(configuration: BrokerConfiguration): Promise<Record<string, string> | void>;
  /** Writes all that a process has stored to the disk, after its end; absent where processes do that themselves. */
  flush?(): Promise<void>;
  ready(pid: number, signal: AbortSignal, configuration: BrokerConfiguration): Promise<ServingBroker>;
  /**
   * Why the process has ended, from the last lines of the log that it shares with those before it. Undefined when they
   * don't tell.
   */
  exitReason(pid: number, lastLines: readonly string[]): string | undefined;
  /** Null for a line that is not in the product's own form. The time is by this machine's clock. */
  readLogLine?(line: string): { at: Date; level: LogLevel; message: string } | null;
  /** the product's checks for a snapshot of the node; `pid` is null where no process runs */
  checks?(pid: number | null): Promise<readonly Check[]>;
}

/** The limits that the broker enforces; the rate is the gateway's. */
export type StoredCapacity = Omit<BrokerCapacity, 'rate_limit'>;

export interface OwnLogin {
  /** the program's; it cannot be computed from what the broker, or another program behind its port, is sent */
  secret: string;
  publicKey: string;
}

export interface OwnLogins {
  create(): Promise<OwnLogin>;
  /** @throws Error when the secret is none of this runtime */
  restore(secret: string): Promise<OwnLogin>;
}

export interface BrokerConfiguration {
  text: string;
  /** what the text refers to: by the path in `filesFolder` the content, which never becomes another there */
  files?: ReadonlyMap<string, string>;
  /** the keys for what the broker stores; null or absent where that is not encrypted */
  encryption?: StorageKeys | null;
  /** differs when a change needs a restart */
  restartKey: string;
  /** null: the broker decides */
  capacity: StoredCapacity;
  /** BROKER_* keys that this runtime doesn't know; they have no effect. */
  unknownKeys: string[];
}

/** The keys of a deployment for data at rest. The data of a node may still be encrypted with a former version. */
export type StorageKeys = NonNullable<DesiredBroker['encryption']>;

/** Where the files are that configurations of a node's broker refer to. */
export const filesFolder = (home: string) => join(home, programFiles.folder);

export interface ServingBroker {
  version: string;
  /** the port on 127.0.0.1, by protocol */
  ports: Partial<Record<Protocol, number>>;
  probe(): Promise<boolean>;
  /** Makes it take up the configuration file that has changed. False when it did not. */
  reload(): Promise<boolean>;
  statistics(): Promise<BrokerStatistics>;
  /** The version of the key that all stored data is encrypted with; null where that is not known yet. Absent where nothing is encrypted. */
  encryptionVersion?(): Promise<number | null>;
  /** Numbers by name; those that only grow end in `_total`. */
  metrics?(): Promise<Record<string, number>>;
  /** What it leads of streams and consumers; absent where the product has none. */
  heldStreams?(): Promise<HeldStreams>;
  /** Its state in a cluster in which it has this name; absent where the product has no clusters. */
  clusterState?(name: string, others: readonly string[]): Promise<ClusterState>;
  /** Hands over what it leads to the others of its cluster, before it is ended. */
  stepDown?(name: string): Promise<void>;
}

export interface HeldStreams {
  streams: ReportedStream[];
  consumers: ReportedConsumer[];
}

export type ClusterState = Pick<ReportedCluster, 'leader' | 'healthy' | 'behind' | 'alone'>;

/** The configuration can't be used. The message says what is wrong, without any secret. */
export class ConfigurationRefused extends Error {}

/** The process has weaknesses by which a client without a login can end it, and is ended instead of being let serve. */
export class UnsafeProgram extends Error {}

/** What a runtime is made from: the agent's folder, and the environment, of which it reads what concerns it. */
export interface RuntimeContext {
  home: string;
  environment: Record<string, string | undefined>;
}

/** @throws ConfigError when the environment lacks what the runtime needs */
export type RuntimeFactory = (context: RuntimeContext) => BrokerRuntime;

/** The runtimes that an agent can run, by the name that the desired state has for them. */
export type RuntimeRegistry = ReadonlyMap<string, RuntimeFactory>;
