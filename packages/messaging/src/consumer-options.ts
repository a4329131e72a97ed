import type { Sender, StreamDeclaration, Topology } from '@sluice/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Registry } from '@prometheus-io/client';
import type { Sql, Log } from '@sluice/service';
import type { Envelope } from './envelope.ts';
import type { Outgoing, UnitOfWork } from './outbox.ts';
import type { SenderOf } from './signatures.ts';

/** A message with what is known of its way. */
export interface Received {
  message: Envelope;
  /** its position in its stream: the order in which messages were published, however late they are handled */
  position: number;
  /** who has signed it, and may say it */
  sender: Sender;
  /** when it came to NATS, by the clock there */
  arrivedAt: Date;
  /** by how much the clock of its sender was ahead of that, in milliseconds; undefined where the message does not say */
  aheadMilliseconds: number | undefined;
}

/** Messages that take effect together: what needs no transaction is done with each as it comes. */
export interface Many<Handle> {
  /** @throws Error when it cannot have its effect like this: it is handled by itself */
  add(received: Received): void;
  /** Takes the effect of those that are new, in their order: of all or none. */
  store(tx: Handle & Outgoing, isNew: (received: Received) => boolean): Promise<void>;
}

/** Which consumer of another stream goes first. */
export interface Follows {
  consumer: {
    /** Until when, by the clock of NATS, it has handled everything; undefined while something waits. */
    handledUntil(): Promise<Date | undefined>;
  };
  /** how much later than a message those that were sent before it may come to the other stream */
  settleMilliseconds: number;
}

export interface ConsumerOptions<Handle extends Sql> {
  nats: NatsConnection;
  topology: Topology;
  stream: StreamDeclaration;
  /** the name in the inbox, of its dead letters and metrics */
  name: string;
  /** the name that NATS knows; default: the same */
  durable?: string;
  /** whether it gets dead letters again, under a subject of its own; the service is ready without it */
  redrives?: boolean;
  /** whether this service makes it; otherwise main-api does (`keepConsumers`) */
  declares: boolean;
  /**
   * Whether it reads its stream again where the database lacks what was acknowledged, since it was restored from an older copy. For a
   * stream that keeps what was acknowledged.
   */
  recovers?: boolean;
  /**
   * Whether messages are handled in the order of their stream, by one replica at a time. A message that cannot be handled holds up all
   * that are behind it. For a consumer that `recovers` and has `handleMany`.
   */
  inOrder?: boolean;
  /** a consumer of another stream that handles what was sent before first */
  follows?: Follows;
  /** called before the stream is read again: the database was restored */
  restored?: () => Promise<void>;
  /** the subjects that this consumer gets, where it does not get all of the stream */
  filter?: string;
  work: UnitOfWork<Handle>;
  /** outside of any unit of work: which attempts have begun */
  sql: Sql;
  /** the name of this process, unique among all that there have been */
  process: string;
  /**
   * Takes effect in `tx`, once per message. What it throws says what becomes of the message: after a `PermanentError` it
   * is a dead letter, after a `RetryLater` it is retried later, after `NotUnderstood` (or a `ZodError`) until an upgrade
   * understands it; after anything else the consumer waits until it can be handled.
   */
  handle: (message: Envelope, tx: Handle & Outgoing, received: Received) => Promise<void>;
  /**
   * Takes the effect of many messages at once, where they come in numbers. They are added while the effect of others is being stored,
   * and theirs is stored in one transaction. Where that fails, each is handled by itself.
   */
  handleMany?: () => Many<Handle>;
  /** how many messages are handled together at most: 2,000; fewer where the effect of one can be large */
  mostTogether?: number;
  /**
   * Called for each message of an authentic sender that becomes a dead letter, with the reason; takes effect in `tx`, before. A
   * message may come more than once.
   */
  abandoned?: (message: Envelope, tx: Handle & Outgoing, reason: string) => Promise<void>;
  /**
   * `report` is called at each attempt at a message that has not been understood for `afterMilliseconds`, in which replicas of a newer
   * release could have taken it. It resolves to whether the message is done with; otherwise it waits for an upgrade.
   */
  notUnderstood?: {
    afterMilliseconds: number;
    report: (message: Envelope, tx: Handle & Outgoing) => Promise<boolean>;
  };
  /** says whose word a message is, or throws a `PermanentError` */
  senderOf: SenderOf;
  /** how long after its publication a message is given up for which the handler throws `RetryLater`; default: never */
  giveUpAfterMilliseconds?: number;
  /** how many messages are handled at the same time, so that a slow one does not delay the others; 1 keeps order */
  concurrency?: number;
  /** after how long a message is delivered again that a killed process had fetched: 5 seconds */
  ackWaitMilliseconds?: number;
  /** how often to look whether NATS still has the consumer: every 2 seconds */
  lookEveryMilliseconds?: number;
  metrics: Registry;
  log: Log;
}
