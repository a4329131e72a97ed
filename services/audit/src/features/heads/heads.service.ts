import {
  headContext,
  headText,
  type PublishedHead,
  type Sign,
  type TenantId,
  type Verify,
} from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import { problem, type Log } from '@sluice/service';
import type { Database } from '../../database/tables.ts';
import { headsMovedSince } from '../audit-log/log-heads.store.ts';
import type { KnownHeads } from '../verification/chain-check.ts';
import type { HeadPublisher } from './head-publisher.ts';

export interface HeadsOptions {
  database: Database;
  publisher: HeadPublisher;
  sign: Sign;
  verify: Verify;
  everyMinutes: number;
  now: () => Date;
  log: Log;
  /** all that there was is published */
  published: () => void;
}

/** heads that are signed and published together */
const batchSize = 500;
/** clocks of replicas differ, and a transaction that was begun before is committed later */
const overlapMilliseconds = 5 * 60 * 1000;
/** after which what could not be published is tried again, unless its time comes sooner */
const againMinutes = 1;
/** who signs heads */
const sender = 'audit';

/** Publishes the signed heads of all logs that have grown, and reads what was published. */
export class Heads {
  readonly #options: HeadsOptions;
  #since = new Date(0);
  #failed = false;

  constructor(options: HeadsOptions) {
    this.#options = options;
  }

  get job(): Job {
    const { everyMinutes } = this.#options;
    return {
      name: 'audit_heads',
      every: () => 60 * (this.#failed ? Math.min(everyMinutes, againMinutes) : everyMinutes),
      run: (signal) => this.#publishAll(signal),
    };
  }

  /** What was published of a tenant's log, and how many of its heads audit has not signed. @throws Problem `unavailable` */
  async published(tenant: TenantId): Promise<{ known: KnownHeads; refused: number }> {
    const { publisher, log } = this.#options;
    const known = new Map<number, { hashes: Set<string>; recordedAt: Date }>();
    let refused = 0;
    try {
      for await (const head of publisher.publishedOf(tenant)) {
        if (!head || head.tenant_id !== tenant || !(await this.#isOurs(head))) {
          refused += 1;
          continue;
        }
        const { seq, hash, recorded_at } = head;
        const before = known.get(seq);
        known.set(seq, {
          hashes: (before?.hashes ?? new Set()).add(hash),
          recordedAt: new Date(recorded_at),
        });
      }
    } catch (error) {
      log.error('what was published of the audit log cannot be read', { error });
      throw problem('unavailable', { detail: 'What was published of the log cannot be read right now.' });
    }
    return { known, refused };
  }

  async #isOurs(head: PublishedHead): Promise<boolean> {
    const signer = await this.#options
      .verify(head.signature, headContext, headText(head))
      .catch(() => undefined);
    return signer === sender;
  }

  async #publishAll(signal: AbortSignal): Promise<void> {
    const { database, publisher, sign, now, published } = this.#options;
    const begun = now();
    let tenant: TenantId | 0 = 0;
    this.#failed = true;
    for (;;) {
      const heads = await headsMovedSince(database, this.#since, tenant, batchSize);
      const at = now().toISOString();
      const signed = heads.map(async (head): Promise<PublishedHead> => {
        const dated = { ...head, at };
        return { ...dated, signature: await sign(headContext, headText(dated)) };
      });
      await publisher.publish(await Promise.all(signed), signal);
      if (signal.aborted) return;
      if (heads.length < batchSize) break;
      tenant = heads.at(-1)?.tenant_id ?? 0;
    }
    // where one was not published, all are again
    this.#since = new Date(begun.getTime() - overlapMilliseconds);
    this.#failed = false;
    published();
  }
}
