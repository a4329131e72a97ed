import { setTimeout as pause } from 'node:timers/promises';
import {
  headContext,
  headText,
  type PublishedHead,
  type Sign,
  type TenantId,
  type Verify,
} from '@sluice/contracts';
import { problem, type Log, type Sql } from '@sluice/service';
import { headsMovedSince } from '../../stores/log-heads.store.ts';
import type { KnownHeads } from '../verification/chain-check.ts';
import type { HeadPublisher } from './head-publisher.ts';

export interface HeadsOptions {
  sql: Sql;
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
/** whose word a head is */
const sender = 'audit';

/** Publishes the heads of all logs that have grown, from time to time, signed; and knows what was published. */
export class Heads {
  readonly #options: HeadsOptions;
  readonly #stopping = new AbortController();
  #since = new Date(0);
  #running: Promise<void> | undefined;

  constructor(options: HeadsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#keepPublishing();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#options.publisher.close();
  }

  /** What was published of a tenant's log, and how many words of it are not audit's. @throws Problem `unavailable` */
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

  async #keepPublishing(): Promise<void> {
    const { everyMinutes, log } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const minutes = await this.#publishAll().then(
        () => everyMinutes,
        (error: unknown) => {
          if (!signal.aborted)
            log.error('heads of the audit log could not be published; it will be tried again', { error });
          return Math.min(everyMinutes, againMinutes);
        },
      );
      await pause(minutes * 60_000, undefined, { signal }).catch(() => undefined);
    }
  }

  async #publishAll(): Promise<void> {
    const { sql, publisher, sign, now, published } = this.#options;
    const begun = now();
    let tenant = 0;
    for (;;) {
      const heads = await headsMovedSince(sql, this.#since, tenant, batchSize);
      const at = now().toISOString();
      const signed = heads.map(async (head): Promise<PublishedHead> => {
        const said = { ...head, at };
        return { ...said, signature: await sign(headContext, headText(said)) };
      });
      await publisher.publish(await Promise.all(signed), this.#stopping.signal);
      if (this.#stopping.signal.aborted) return;
      if (heads.length < batchSize) break;
      tenant = heads.at(-1)?.tenant_id ?? 0;
    }
    // where one was not published, all are again
    this.#since = new Date(begun.getTime() - overlapMilliseconds);
    published();
  }
}
