import type { Origin } from '../origin.ts';
import { problem } from '../problem.ts';

export interface TenantSharesOptions {
  /** changes of one tenant that use a connection at the same time */
  connections: number;
  /** for how long another one waits for its turn */
  waitSeconds: number;
}

/** as many changes of one tenant wait for their turn; one more is refused at once */
const mostWaiting = 100;

/** Who has a share: a tenant, a user without a tenant, or all unknown callers together. */
interface Share {
  running: number;
  waiting: (() => void)[];
}

/**
 * Lets the changes of one tenant use a few connections only, however many wait there for a lock of theirs: the others stay
 * for everybody else, and for reading. Sluice's own work (`system`) has no share; it is limited where it is begun.
 */
export class TenantShares {
  readonly #options: TenantSharesOptions;
  readonly #shares = new Map<string, Share>();

  constructor(options: TenantSharesOptions) {
    this.#options = options;
  }

  /** Runs `change` when it is the turn of its origin. @throws Problem `tenant_busy` when that takes too long */
  async run<T>(origin: Origin, change: () => Promise<T>): Promise<T> {
    const name = shareOf(origin);
    if (name === undefined) return await change();
    const share = this.#shares.get(name) ?? { running: 0, waiting: [] };
    this.#shares.set(name, share);
    if (share.running >= this.#options.connections) await this.#turn(share);
    else share.running++;
    try {
      return await change();
    } finally {
      const next = share.waiting.shift();
      if (next) next();
      else if (--share.running === 0) this.#shares.delete(name);
    }
  }

  /** Waits until one that is running ends, and has its place then. */
  #turn({ waiting }: Share): Promise<void> {
    if (waiting.length >= mostWaiting) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(begin), 1);
      reject(busy());
    }, this.#options.waitSeconds * 1000);
    waiting.push(begin);
    return promise;
  }
}

const busy = () => problem('tenant_busy', { headers: { 'retry-after': '1' } });

function shareOf({ tenantId, cause: { author } }: Origin): string | undefined {
  if (tenantId === undefined) return undefined;
  if (tenantId > 0) return `tenant ${tenantId}`;
  return author ? `user ${author.id}` : 'unknown';
}
