import { mailSchema, type Mail } from '@sluice/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { secretBox, secretKeysSchema } from '@sluice/system/secrets';
import { eventually, type ServiceFixture } from '@sluice/testing';
import { mailKeys } from './settings.ts';

export interface OpenedMail extends Mail {
  content: Record<string, unknown>;
}

/** Reads the mails that main-api wants sent, as the notifier does. */
export class Mails {
  readonly #on: ServiceFixture;
  readonly #box = secretBox(secretKeysSchema.parse(mailKeys));

  constructor(on: ServiceFixture) {
    this.#on = on;
  }

  /** All mails to an address, oldest first. */
  async to(address: string): Promise<OpenedMail[]> {
    const { nats, topology } = this.#on;
    const { name } = topology.streams.mails;
    const { state } = await (await jetstreamManager(nats)).streams.info(name);
    const stream = await jetstream(nats).streams.get(name);
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
