/** lookups of one owner at the same time, and of all; resolvers take a socket or two each */
const mostOfOwner = 8;
const mostInAll = 256;
/** lookups of one owner that wait; one more is refused at once */
const mostWaiting = 256;

interface Share {
  running: number;
  waiting: (() => void)[];
}

/** Divides lookups of names among their owners: one whose name servers hang waits for itself. */
export class LookupShares {
  /** owners with lookups, the one that was served last at the end */
  readonly #shares = new Map<string, Share>();
  #running = 0;

  /** Runs `lookup` when its owner has its turn. @returns undefined where that has not come by the deadline */
  async run<T>(owner: string, deadline: AbortSignal, lookup: () => Promise<T>): Promise<T | undefined> {
    const share = this.#shares.get(owner) ?? { running: 0, waiting: [] };
    this.#shares.set(owner, share);
    if (share.waiting.length >= mostWaiting) return undefined;
    if (!(await this.#turn(share, deadline))) return undefined;
    try {
      return await lookup();
    } finally {
      share.running--;
      this.#running--;
      this.#next();
    }
  }

  #turn(share: Share, deadline: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const begin = () => {
      deadline.removeEventListener('abort', giveUp);
      resolve(true);
    };
    const giveUp = () => {
      share.waiting.splice(share.waiting.indexOf(begin), 1);
      this.#next();
      resolve(false);
    };
    deadline.addEventListener('abort', giveUp, { once: true });
    share.waiting.push(begin);
    this.#next();
    return promise;
  }

  /** Begins what may begin, owner after owner. */
  #next(): void {
    for (const [owner, share] of [...this.#shares]) {
      if (share.running + share.waiting.length === 0) this.#shares.delete(owner);
      if (this.#running >= mostInAll || share.running >= mostOfOwner) continue;
      const begin = share.waiting.shift();
      if (!begin) continue;
      share.running++;
      this.#running++;
      this.#shares.delete(owner);
      this.#shares.set(owner, share);
      begin();
    }
  }
}
