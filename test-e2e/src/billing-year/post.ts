import { supervisorOf, type RegionRef, type Sender } from '@sluice/contracts';
import { PermanentError } from '@sluice/messaging';
import { Ledger } from './ledger.ts';
import type { MainApi } from './main-api.ts';
import type { Message } from './region.ts';

/** What was done to services and messages. */
export interface Counts {
  messages: number;
  delayed: number;
  doubled: number;
  parallel: number;
  before: number;
  after: number;
  restores: number;
}

/** What a region says, and what of that has come. */
export interface Line {
  sender: Sender;
  /** how often it was restored, and which of those main-api has answered: what was said before then has no effect */
  restores: number;
  answered: number;
  lostBelow: number;
  reported: Ledger;
  copied: Ledger;
}

export const newLine = (place: RegionRef): Line => ({
  ...{ sender: supervisorOf(place), restores: 0, answered: 0, lostBelow: 0 },
  ...{ reported: new Ledger(), copied: new Ledger() },
});

type Sent = Message & { restores: number; from: Line };

interface Ways {
  random: () => number;
  counts: Counts;
  later: (seconds: number, run: () => Promise<void>) => void;
  /** sends what main-api has said */
  answer: () => Promise<void>;
}

const day = 86_400;
/** messages that come at the same time at most */
const atOnce = 3;

/** Brings main-api what regions say: at once or days later, several at a time, some twice. */
export class Post {
  readonly #main: MainApi;
  readonly #ways: Ways;
  readonly #delayed = new Set<Sent>();
  #came = new Ledger();
  /** what had come when main-api was copied */
  #copied = new Ledger();

  constructor(main: MainApi, ways: Ways) {
    this.#main = main;
    this.#ways = ways;
  }

  async send(from: Line, messages: readonly Message[]): Promise<void> {
    const { random, counts, answer } = this.#ways;
    const now: Sent[] = [];
    for (const message of messages.map((one) => ({ ...one, restores: from.restores, from }))) {
      counts.messages++;
      const isUsage = message.subject.endsWith('.usage');
      if (isUsage) note(from.reported, message);
      const chance = random();
      if (isUsage && chance < 0.15) {
        counts.delayed++;
        this.#later(message, Math.floor(random() ** 2 * 3 * day));
      } else now.push(message);
      if (chance > 0.95 && !message.subject.endsWith('.region_registered')) {
        counts.doubled++;
        this.#later(message, Math.floor(random() * 2 * day));
      }
    }
    const size = now.every(({ subject }) => subject.endsWith('.usage')) ? atOnce : 1;
    if (size > 1 && now.length > 1) counts.parallel += now.length;
    for (let at = 0; at < now.length; at += size)
      await Promise.all(now.slice(at, at + size).map((message) => this.#deliver(message)));
    await answer();
  }

  /** Everything that was sent comes, in any order. */
  async flush(): Promise<void> {
    while (this.#delayed.size > 0) {
      const messages = [...this.#delayed].map((message) => ({ message, place: this.#ways.random() }));
      this.#delayed.clear();
      for (const { message } of messages.toSorted((one, other) => one.place - other.place))
        await this.#deliver(message);
      await this.#ways.answer();
    }
  }

  /** main-api answers a region that was restored. @returns what both know of the time before */
  answered(line: Line): Ledger {
    this.#came.join(line.copied);
    line.answered = line.restores;
    line.reported = this.#came.copy();
    return this.#came.copy();
  }

  copy(): void {
    this.#copied = this.#came.copy();
  }

  /**
   * main-api goes back to its copy, and may have lost that it has answered a region: what that has forgotten since must not come any more.
   * What regions report again has come once it does.
   */
  restore(lines: readonly Line[]): void {
    this.#came = this.#copied.copy();
    for (const line of lines) line.lostBelow = line.answered;
  }

  #later(message: Sent, seconds: number): void {
    this.#delayed.add(message);
    this.#ways.later(seconds, async () => {
      if (!this.#delayed.delete(message)) return;
      await this.#deliver(message);
      await this.#ways.answer();
    });
  }

  async #deliver(message: Sent): Promise<void> {
    const { from, payload, restores } = message;
    if (restores < from.lostBelow) return;
    if (message.subject.endsWith('.usage') && restores >= from.answered) note(this.#came, message);
    try {
      await this.#main.take(from.sender, payload);
    } catch (error) {
      // put aside: usage of a deployment that main-api does not know any more
      if (!(error instanceof PermanentError)) throw error;
    }
  }
}

function note(ledger: Ledger, { payload }: Message): void {
  const { data } = JSON.parse(payload) as { data: { uid: string; from: string; to: string } };
  ledger.add(data.uid, Date.parse(data.from) / 1000, Date.parse(data.to) / 1000);
}
