import {
  JetStreamApiCodes,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  type StoredMsg,
} from '@nats-io/jetstream';
import { headers as natsHeaders, type NatsConnection } from '@nats-io/transport-node';
import { isSigned, type Topology } from '@sluice/contracts';
import { deadLetterHeaders } from '@sluice/messaging';
import { conflict, notFound } from '@sluice/terminal/errors';

/** A message that a consumer has put aside. */
export interface DeadLetter {
  /** by which it is named here */
  number: number;
  consumer: string;
  put_aside_at: string;
  reason: string;
  /** where and what it was */
  stream: string;
  sequence: number;
  subject: string;
  headers: Record<string, string>;
  payload: string;
}

const ownHeaders = new Set<string>(Object.values(deadLetterHeaders));

export async function openDeadLetters(nats: NatsConnection, { streams, subjects }: Topology) {
  const stream = streams.deadLetters.name;
  const { streams: manager } = await jetstreamManager(nats, { checkAPI: false, timeout: 5_000 });

  /** The next one from a number on; undefined where there is none. */
  async function next(from: number, consumer?: string): Promise<StoredMsg | undefined> {
    const subject = consumer === undefined ? subjects.deadLetters : subjects.deadLetter(consumer);
    // the client's types lack the second, which the server has known since 2.2
    const query = { seq: from, next_by_subj: subject };
    return await found(manager.getMessage(stream, query));
  }

  async function get(number: number): Promise<StoredMsg> {
    const message = await next(number);
    if (message?.seq !== number)
      throw notFound(`There is no dead letter ${number}.`, 'sluice-admin dead-letters list');
    return message;
  }

  return {
    /** Those behind a number, oldest first, of all consumers or of one. */
    async list(after: number, limit: number, consumer?: string): Promise<DeadLetter[]> {
      const letters: DeadLetter[] = [];
      for (let from = after + 1; letters.length < limit;) {
        const message = await next(from, consumer);
        if (!message) break;
        letters.push(shown(message));
        from = message.seq + 1;
      }
      return letters;
    },

    /** @throws CliError when there is none of that number */
    async show(number: number): Promise<DeadLetter> {
      return shown(await get(number));
    },

    /**
     * Has its consumer, and no other, try it again, as it was: what it had an effect before has none a second time.
     * @throws CliError when there is none of that number, or it has no signature
     */
    async redrive(number: number): Promise<DeadLetter> {
      const message = await get(number);
      const letter = shown(message);
      if (isSigned(letter.subject) && !message.header.has('Sluice-Signature'))
        throw conflict(`Dead letter ${number} has no signature and would be refused.`);
      const header = natsHeaders();
      for (const name of message.header.keys())
        if (name !== 'Nats-Msg-Id') header.set(name, message.header.get(name));
      // twice in a row it is sent once
      const msgID = `redrive-${number}-${message.timestamp}`;
      await jetstream(nats, { timeout: 5_000 }).publish(subjects.redrive(letter.consumer), message.data, {
        headers: header,
        msgID,
      });
      await manager.deleteMessage(stream, number, false);
      return letter;
    },

    /** @throws CliError when there is none of that number */
    async drop(number: number): Promise<DeadLetter> {
      const letter = shown(await get(number));
      await manager.deleteMessage(stream, number);
      return letter;
    },
  };

  function shown(message: StoredMsg): DeadLetter {
    const header = (name: string) => message.header.get(name);
    const own = [...message.header.keys()].filter((name) => !ownHeaders.has(name));
    return {
      number: message.seq,
      consumer: message.subject.slice(subjects.deadLetter('').length),
      put_aside_at: message.time.toISOString(),
      reason: header(deadLetterHeaders.reason),
      stream: header(deadLetterHeaders.stream),
      sequence: Number(header(deadLetterHeaders.sequence)),
      subject: header(deadLetterHeaders.subject),
      headers: Object.fromEntries(own.map((name) => [name, header(name)])),
      payload: message.string(),
    };
  }
}

async function found(asking: Promise<StoredMsg | null>): Promise<StoredMsg | undefined> {
  try {
    return (await asking) ?? undefined;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.NoMessageFound)
      return undefined;
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)
      throw notFound('NATS has no stream of dead letters: main-api makes it at its start.');
    throw error;
  }
}
