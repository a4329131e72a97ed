import { NotReady } from '@sluice/service';
import { kindOf } from './verdict.ts';

/** A message at which a consumer stands still. */
interface Pause {
  since: Date;
  /** in a word that anybody may read */
  reason: string;
  place: string;
}

/** What a consumer waits for: failures that say nothing of the message that met them. */
export class Pauses {
  readonly #consumer: string;
  readonly #now = new Map<string, Pause>();

  constructor(consumer: string) {
    this.#consumer = consumer;
  }

  get count(): number {
    return this.#now.size;
  }

  /** @param place of the message, for people: stream and sequence. @returns whether it was not paused there before */
  begin(place: string, error: unknown): boolean {
    const known = this.#now.get(place);
    this.#now.set(place, { since: known?.since ?? new Date(), reason: kindOf(error), place });
    return !known;
  }

  /** @returns since when it was paused there, if it was */
  end(place: string): Date | undefined {
    const since = this.#now.get(place)?.since;
    this.#now.delete(place);
    return since;
  }

  /** @throws NotReady while there is one, which names the oldest */
  check(): void {
    const [oldest] = this.#now.values();
    if (!oldest) return;
    const { since, reason, place } = oldest;
    throw new NotReady(
      `${this.#consumer} is paused since ${since.toISOString()} at message ${place}: ${reason}`,
    );
  }
}
