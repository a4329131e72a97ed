import { setTimeout as pause } from 'node:timers/promises';
import {
  frozenGrant,
  grantText,
  partsOfSigned,
  signedPayload,
  type Sign,
  type TenantId,
  type Topology,
} from '@sluice/contracts';
import { grantStream, grantSubject, type GrantLeases } from '@sluice/grants';
import { problem, type Log } from '@sluice/service';
import { jetstream, JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import type { Database } from '@sluice/main-store/database';
import {
  isNewest,
  listLeftovers,
  listUnsettled,
  listUnsettledRemovals,
  raiseVersionAbove,
  settleGrants,
  type Settled,
  type UnsettledGrant,
} from '../grants.store.ts';

export interface GrantPublisherOptions {
  database: Database;
  nats: NatsConnection;
  topology: Topology;
  sign: Sign;
  leases: GrantLeases;
  log: Log;
}

/** What stands in the bucket under a key. */
export interface Standing {
  sequence: number;
  version: number;
  payload: string;
}

const batchSize = 1_000;
const nothing: Standing = { sequence: 0, version: 0, payload: '' };
/** the header of a removal, which has no text to hold it */
const versionHeader = 'Sluice-Version';
/** after which a change is taken for one whose maker has died, in seconds */
const abandonedSeconds = 5;

/**
 * Publishes the table of grants in the bucket. The replica that changes grants publishes them; any other may do the same at the
 * same time: a grant replaces only the one that its publisher knows of, so an older never follows a newer.
 */
export class GrantPublisher {
  readonly #options: GrantPublisherOptions;
  readonly #jetstream: JetStreamClient;
  /** the newest revision that was published here */
  #newest = 0;

  constructor(options: GrantPublisherOptions) {
    this.#options = options;
    this.#jetstream = jetstream(options.nats, { timeout: 2_000 });
  }

  /**
   * Resolves when these grants, as they are now, are in force on all layers.
   * @param milliseconds how long it may go on without getting any further
   * @throws Problem `unavailable` when that cannot be known: the change is stored, and will be in force
   */
  async settle(keys: Iterable<string>, milliseconds = 10_000): Promise<void> {
    for (const batch of inBatches(keys)) {
      const deadline = performance.now() + milliseconds;
      while (!(await this.#settleBatch(batch, deadline))) {
        if (performance.now() > deadline)
          throw problem('unavailable', {
            detail: 'The change is stored but not yet known to be in force everywhere. Repeat the request.',
          });
        await pause(50);
      }
    }
  }

  /** Resolves when what was taken away in a tenant until now works nowhere any more. @throws Problem `unavailable` */
  async settleRemovals(tenantId: TenantId): Promise<void> {
    await this.settle(await listUnsettledRemovals(this.#options.database, tenantId));
  }

  /** Publishes what others have left, such as replicas that were killed. @param seconds for how long it was left */
  async sweep(seconds = abandonedSeconds): Promise<void> {
    for (;;) {
      const left = await listLeftovers(this.#options.database, seconds, batchSize);
      if (left.length === 0) return;
      this.#options.log.info('grants are published that were left over', { count: left.length });
      await this.settle(left);
    }
  }

  /** @returns whether all of them are in force */
  async #settleBatch(keys: readonly string[], deadline: number): Promise<boolean> {
    const { database, leases, log } = this.#options;
    const unsettled = await listUnsettled(database, keys);
    const [first] = unsettled;
    if (!first) return true;
    const attempts = await Promise.allSettled(unsettled.map((grant) => this.#publish(grant)));
    const published = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? attempt.value : []));
    const failed = attempts.find((attempt) => attempt.status === 'rejected');
    if (failed) log.warn('grants could not be published; they will be', { error: failed.reason as unknown });
    if (published.length === 0) return false;
    const newest = Math.max(...published.map(({ sequence }) => sequence));
    await leases.waitUntilApplied(newest, Math.max(deadline - performance.now(), 1_000));
    await settleGrants(database, first.bucket, published);
    return published.length === unsettled.length;
  }

  /** @returns where it stands; nothing when there is a newer one by now */
  async #publish(grant: UnsettledGrant): Promise<Settled[]> {
    const { key, content, version, frozen } = grant;
    const text = content && grantText(frozen ? frozenGrant(content) : content, version);
    const payload = text === null ? '' : signedPayload(await this.#options.sign(key, text), text);
    let expected = grant.sequence ?? 0;
    for (let attempt = 1; attempt <= 5; attempt++) {
      try {
        return [{ key, version, sequence: await this.#put(grant, payload, expected) }];
      } catch (error) {
        if (!isOutdated(error)) throw error;
        const standing = await this.standing(key);
        // published before, by a replica that could not store that
        if (standing.version === version && standing.payload === payload)
          return [{ key, version, sequence: standing.sequence }];
        if (!(await isNewest(this.#options.database, grant))) return [];
        if (standing.version >= version) {
          await raiseVersionAbove(this.#options.database, grant, standing.version);
          return [];
        }
        expected = standing.sequence;
      }
    }
    return [];
  }

  async #put({ key, version }: UnsettledGrant, payload: string, expected: number): Promise<number> {
    const header = headers();
    if (payload === '') {
      header.set('KV-Operation', 'DEL');
      header.set(versionHeader, String(version));
    }
    const before = this.#newest;
    const { seq } = await this.#jetstream.publish(grantSubject(this.#options.topology, key), payload, {
      headers: header,
      expect: { lastSubjectSequence: expected },
    });
    // the place was taken before: NATS has lost what came since
    if (seq <= before) this.#options.leases.forget();
    this.#newest = seq <= before ? seq : Math.max(this.#newest, seq);
    return seq;
  }

  /** What stands in the bucket under a key; a sequence of 0: nothing. */
  async standing(key: string): Promise<Standing> {
    const { topology } = this.#options;
    const manager = await this.#jetstream.jetstreamManager();
    const message = await manager.streams.getMessage(grantStream(topology), {
      last_by_subj: grantSubject(topology, key),
    });
    if (!message) return nothing;
    const payload = new TextDecoder().decode(message.data);
    return {
      sequence: message.seq,
      version: Number(message.header.get(versionHeader)) || versionOf(partsOfSigned(payload).text),
      payload,
    };
  }
}

function* inBatches(keys: Iterable<string>): Generator<string[]> {
  let batch: string[] = [];
  for (const key of keys) {
    batch.push(key);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function versionOf(text: string): number {
  const version = Number(/^\{"version":(\d{1,15})\D/.exec(text)?.[1]);
  return Number.isSafeInteger(version) ? version : 0;
}

const isOutdated = (error: unknown) => error instanceof JetStreamApiError && error.code === 10071;
