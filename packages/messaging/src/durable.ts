import type { StreamDeclaration } from '@sluice/contracts';
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  type ConsumerInfo,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { repeat, type Repeating } from '@sluice/controller';
import type { Log } from '@sluice/service';
import { watchConnection } from './nats.ts';
import { addNewDurable, consumerAlreadyExists } from './new-durable.ts';
import type { Progress } from './progress.store.ts';

export interface DurableOptions {
  nats: NatsConnection;
  stream: StreamDeclaration;
  name: string;
  filter: string | undefined;
  /** whether this service makes it, and makes it again when NATS has lost it; the others wait until main-api has */
  declares: boolean;
  ackWaitMilliseconds?: number | undefined;
  /** what is older when it is declared does not come any more, in milliseconds; default: everything comes */
  ignoredAge?: number | undefined;
  lookEveryMilliseconds: number;
  /** Whether the database lacks what NATS has acknowledgements of: then the consumer begins anew. */
  isBehind?: ((acknowledged: Progress) => Promise<boolean>) | undefined;
  /** called before that */
  restored?: (() => Promise<void>) | undefined;
  /** called whenever NATS has another one than before */
  changed?: () => void;
  log: Log;
}

/** how long NATS waits for an acknowledgement by default */
export const usualAckWait = 5_000;
/** a redriven message that is older than an id stays in the inbox would not be recognised: 30 days */
export const longestRedrive = 30 * 24 * 60 * 60 * 1000;

/** what is fetched is limited by itself; messages that wait for an upgrade or a mail server must not hold up others */
const unlimited = -1;

/** A durable consumer as NATS has it: looked at, and where this service declares it, declared again when NATS has lost it. */
export class Durable {
  readonly #options: DurableOptions;
  #manager: JetStreamManager | undefined;
  /** when it was made, as NATS writes it; undefined while NATS is not known to have it */
  #declared: string | undefined;
  /** when its stream was made, as NATS writes it */
  #streamCreated: string | undefined;
  /** whether its absence was logged */
  #isMissing = false;
  #looking: Repeating | undefined;

  constructor(options: DurableOptions) {
    this.#options = options;
  }

  get isThere(): boolean {
    return this.#declared !== undefined;
  }

  get streamCreated(): string | undefined {
    return this.#streamCreated;
  }

  /** Resolves after the first look, also when it fails. */
  async start(): Promise<void> {
    watchConnection(this.#options.nats, {
      lost: () => {
        this.#declared = undefined;
      },
      back: () => this.lookNow(),
    });
    this.#looking = repeat({
      every: this.#options.lookEveryMilliseconds / 1_000,
      run: () => this.#look(),
      // a look handles its own errors
      failed: () => undefined,
    });
    await this.#looking.first;
  }

  async stop(): Promise<void> {
    await this.#looking?.stop();
  }

  lookNow(): void {
    this.#looking?.wake();
  }

  /** Deletes it, so that it is made anew, and gets all messages that its stream still has. */
  async readAgain(): Promise<void> {
    const { stream, name } = this.#options;
    try {
      await (await this.#api()).consumers.delete(stream.name, name);
    } catch (error) {
      if (!isMissingConsumer(error)) throw error;
    }
    this.lookNow();
  }

  /** Until when, by the clock of NATS, all messages have been handled, but for those that are tried again; undefined while some wait. */
  async handledUntil(): Promise<Date | undefined> {
    const { stream, name } = this.#options;
    const found = await (await this.#api()).consumers.info(stream.name, name);
    const { num_pending, num_ack_pending, num_redelivered } = found;
    // the client's types lack the time of the answer
    const { ts } = found as ConsumerInfo & { ts: string };
    return num_pending === 0 && num_ack_pending <= num_redelivered ? new Date(ts) : undefined;
  }

  /** What was asked of another consumer of that name is asked again. */
  async #look(): Promise<void> {
    const { name, changed, restored, log } = this.#options;
    const before = this.#declared;
    try {
      let info = this.#options.declares ? await this.#keep() : await this.#find();
      if (await this.#isBehind(info)) {
        log.warn(
          'the database lacks messages that were acknowledged: it was restored; the stream is read again',
          {
            consumer: name,
            acknowledged: info.ack_floor.stream_seq,
          },
        );
        await restored?.();
        await this.readAgain();
        info = this.#options.declares ? await this.#declare() : await this.#find();
      }
      const { created } = info;
      this.#declared = created;
      this.#isMissing = false;
      if (created === before) return;
      log.info('a consumer is there', { consumer: name, created });
      changed?.();
    } catch (error) {
      this.#declared = undefined;
      if (!this.#isMissing)
        log.warn('a consumer is not there; it is looked for until it is', { consumer: name, error });
      this.#isMissing = true;
    }
  }

  async #keep(): Promise<ConsumerInfo> {
    const { stream, name, log } = this.#options;
    try {
      return await this.#adapted(await this.#find());
    } catch (error) {
      if (error instanceof AheadOfItsStream) {
        log.warn('a consumer was ahead of its stream; it begins anew', { consumer: name });
        await (await this.#api()).consumers.delete(stream.name, name);
      } else if (!isMissingConsumer(error)) throw error;
      return await this.#declare();
    }
  }

  /** The consumer as NATS has it. @throws AheadOfItsStream */
  async #find(): Promise<ConsumerInfo> {
    const { stream, name } = this.#options;
    const { consumers, streams } = await this.#api();
    const info = await consumers.info(stream.name, name);
    const { state, created } = await streams.info(stream.name);
    this.#streamCreated = created;
    if (info.delivered.stream_seq > state.last_seq) throw new AheadOfItsStream(name);
    return info;
  }

  async #isBehind({ ack_floor }: ConsumerInfo): Promise<boolean> {
    const { isBehind, name, log } = this.#options;
    const streamCreated = this.#streamCreated;
    if (!isBehind || streamCreated === undefined || ack_floor.consumer_seq === 0) return false;
    try {
      return await isBehind({ streamCreated, sequence: ack_floor.stream_seq });
    } catch (error) {
      log.debug('the progress of a consumer could not be read; it is read at the next look', {
        consumer: name,
        error,
      });
      return false;
    }
  }

  /** A release may want it otherwise than the one before it. */
  async #adapted(info: ConsumerInfo): Promise<ConsumerInfo> {
    const { stream, name, filter = '' } = this.#options;
    const { filter_subject = '', max_ack_pending } = info.config;
    if (filter_subject === filter && max_ack_pending === unlimited) return info;
    return await (
      await this.#api()
    ).consumers.update(stream.name, name, {
      ...(filter_subject !== filter && { filter_subject: filter }),
      max_ack_pending: unlimited,
    });
  }

  async #declare(): Promise<ConsumerInfo> {
    const { consumers, streams } = await this.#api();
    this.#streamCreated = (await streams.info(this.#options.stream.name)).created;
    try {
      return await addNewDurable(consumers, this.#options.stream.name, this.#config(), this.#options.log);
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || error.code !== consumerAlreadyExists) throw error;
      return await this.#find();
    }
  }

  #config() {
    const { name, filter, ackWaitMilliseconds = usualAckWait, ignoredAge } = this.#options;
    return {
      durable_name: name,
      ack_policy: AckPolicy.Explicit,
      ...(ignoredAge === undefined
        ? { deliver_policy: DeliverPolicy.All }
        : {
            deliver_policy: DeliverPolicy.StartTime,
            opt_start_time: new Date(Date.now() - ignoredAge).toISOString(),
          }),
      ack_wait: nanos(ackWaitMilliseconds),
      max_deliver: -1,
      max_ack_pending: unlimited,
      ...(filter && { filter_subject: filter }),
    };
  }

  async #api(): Promise<JetStreamManager> {
    return (this.#manager ??= await jetstreamManager(this.#options.nats, {
      checkAPI: false,
      timeout: 2_000,
    }));
  }
}

/** Its stream was restored from older data: NATS would pass over what takes the places of lost messages. */
class AheadOfItsStream extends Error {}

function isMissingConsumer(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound;
}
