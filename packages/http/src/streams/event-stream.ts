import { Problem } from '@sluice/service';

/** Who follows, and for how long they may. */
export interface Follower<Who = unknown> {
  /** Rejects when the right to follow is gone. */
  allowed: () => Promise<Who>;
  /** aborted when the client is */
  gone: AbortSignal;
}

/** Why a stream ends. */
export type StreamEnd = 'too_slow' | 'forbidden' | 'deleted' | 'stopping' | 'gone';

export interface EventStreamOptions<Item, Who> {
  follower: Follower<Who>;
  /** items that may wait for the reader */
  most: number;
  /** items that are sent at once */
  atOnce?: number;
  /** called with the caller as they are now */
  checked?: (who: Who) => void;
  /** called in the place of an end when more wait */
  overflowed?: (item: Item) => void;
}

/** The texts of a stream. */
export interface StreamTexts<Item> {
  /** where it begins */
  first: () => string | Promise<string>;
  items: (items: Item[]) => string | Promise<string>;
  /** after a while without any */
  quiet: () => string;
}

const checkMilliseconds = 1_000;
const heartbeatMilliseconds = 15_000;

/**
 * Server-sent events of one reader. What comes waits for them, up to a bound, so a slow reader holds up no other. A stream ends with the
 * right to it, which is asked for each second, and says why.
 */
export class EventStream<Item, Who = unknown> {
  readonly #options: EventStreamOptions<Item, Who>;
  #waiting: Item[] = [];
  #end: StreamEnd | null = null;
  #wake: () => void = () => undefined;

  constructor(options: EventStreamOptions<Item, Who>) {
    this.#options = options;
  }

  /** null until it ends */
  get ended(): StreamEnd | null {
    return this.#end;
  }

  give(item: Item): void {
    if (this.#end !== null) return;
    const { most, overflowed } = this.#options;
    if (this.#waiting.length >= most) return overflowed ? overflowed(item) : this.end('too_slow');
    this.#waiting.push(item);
    this.#wake();
  }

  /** Gives this in the place of all that waits. */
  replace(item: Item): void {
    this.#waiting = [];
    this.give(item);
  }

  end(reason: StreamEnd): void {
    this.#end ??= reason;
    this.#wake();
  }

  /** Asks for the right. @returns undefined when it is gone, which ends the stream, or cannot be known */
  async allowed(): Promise<Who | undefined> {
    try {
      const who = await this.#options.follower.allowed();
      this.#options.checked?.(who);
      return who;
    } catch (error) {
      if (error instanceof Problem && error.status < 500)
        this.end(error.status === 404 ? 'deleted' : 'forbidden');
      return undefined;
    }
  }

  /** @param left called at the end, also where the client has gone */
  async *events({ first, items, quiet }: StreamTexts<Item>, left: () => void): AsyncGenerator<string> {
    const { gone } = this.#options.follower;
    const check = setInterval(() => void this.allowed(), checkMilliseconds);
    const close = () => this.end('gone');
    gone.addEventListener('abort', close, { once: true });
    if (gone.aborted) close();
    try {
      yield await first();
      for (;;) {
        const isCut = this.#end === 'too_slow' || this.#end === 'forbidden';
        const some = isCut ? [] : this.#waiting.splice(0, this.#options.atOnce ?? Infinity);
        const text = some.length > 0 ? await items(some) : '';
        if (text !== '') yield text;
        else if (some.length > 0) continue;
        else if (this.#end !== null) break;
        else if (!(await this.#hasNews())) yield quiet();
      }
      if (this.#end !== 'gone') yield `event: end\ndata: ${JSON.stringify({ reason: this.#end })}\n\n`;
    } finally {
      clearInterval(check);
      gone.removeEventListener('abort', close);
      left();
    }
  }

  /** @returns false when nothing has happened for so long that it is time to say that all is well */
  async #hasNews(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#wake = () => resolve(true);
    const timer = setTimeout(() => resolve(false), heartbeatMilliseconds);
    return await promise.finally(() => clearTimeout(timer));
  }
}
