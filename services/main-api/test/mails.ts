import { mailSchema, topology, type Mail } from '@sluice/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { secretBox, secretKeysSchema } from '@sluice/service-kit';
import { eventually } from '@sluice/testing';
import { mailKeys, type Surroundings } from './main-api.ts';

export interface OpenedMail extends Mail {
  content: Record<string, unknown>;
}

/** Reads the mails that main-api wants sent, as the notifier does. */
export class Mails {
  readonly #nats: NatsConnection;
  readonly #stream: string;
  readonly #box = secretBox(secretKeysSchema.parse(mailKeys));

  static async open({ environment }: Pick<Surroundings, 'environment'>): Promise<Mails> {
    const { NATS_URL = '', NATS_NAMESPACE = '' } = environment;
    return new Mails(await connect({ servers: NATS_URL }), topology(NATS_NAMESPACE).streams.mails.name);
  }

  constructor(nats: NatsConnection, stream: string) {
    this.#nats = nats;
    this.#stream = stream;
  }

  close(): Promise<void> {
    return this.#nats.close();
  }

  /** All mails to an address, oldest first. */
  async to(address: string): Promise<OpenedMail[]> {
    const { state } = await (await jetstreamManager(this.#nats)).streams.info(this.#stream);
    const stream = await jetstream(this.#nats).streams.get(this.#stream);
    const mails: OpenedMail[] = [];
    for (let seq = Math.max(state.first_seq, 1); seq <= state.last_seq; seq++) {
      const message = await stream.getMessage({ seq });
      const mail = message && mailSchema.parse(message.json<{ data: unknown }>().data);
      if (mail?.to !== address) continue;
      const content = JSON.parse(await this.#box.open(mail.sealed)) as Record<string, unknown>;
      mails.push({ ...mail, content });
    }
    return mails;
  }

  /** The code in the newest mail to an address, once `count` have come. */
  async code(address: string, count = 1): Promise<string> {
    const mails = await eventually(async () => {
      const found = await this.to(address);
      if (found.length < count) throw new Error(`${found.length} of ${count} mails have come`);
      return found;
    });
    return String(mails.at(-1)?.content['code']);
  }
}
