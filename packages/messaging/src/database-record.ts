import { setTimeout as pause } from 'node:timers/promises';
import { databaseEntry, type Sender, type Topology } from '@sluice/contracts';
import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { repeat, type Repeating } from '@sluice/controller';
import type { Log } from '@sluice/service';
import { ensureBucket, sharedBucketOf, streamInfo } from './buckets.ts';

export interface DatabaseRecordOptions {
  nats: NatsConnection;
  topology: Topology;
  /** whose database it is */
  sender: Sender;
  /** on how many servers the bucket is kept; undefined for a service that does not make it */
  bucketReplicas: number | undefined;
  /** Raises the revision of the database. @returns the revision that is committed */
  raise: () => Promise<number>;
  log: Log;
}

const everySeconds = 10;
const answerMilliseconds = 2_000;
const retryMilliseconds = 500;

const entrySchema = z.object({ revision: z.int().nonnegative() });

/**
 * Records the revision of a service's database in NATS. A database whose revision is lower than the recorded one is an older copy. An
 * entry is written after its revision is committed, so that it is never ahead of a database that has lost nothing.
 */
export class DatabaseRecord {
  readonly #options: DatabaseRecordOptions;
  readonly #stream: string;
  readonly #subject: string;
  #manager: JetStreamManager | undefined;
  #isFailing = false;
  #recording: Repeating | undefined;

  constructor(options: DatabaseRecordOptions) {
    this.#options = options;
    const { databases } = options.topology.buckets;
    this.#stream = `KV_${databases}`;
    this.#subject = databaseEntry(databases, options.sender);
  }

  /** The recorded revision, 0 where there is none. Waits until NATS has answered. */
  async read(): Promise<number> {
    for (;;) {
      try {
        return await this.#find();
      } catch (error) {
        this.#warn('NATS does not answer which revision the database has had; the service waits', error);
        await pause(retryMilliseconds);
      }
    }
  }

  /** Records the revision now and from then on. Only for a database that was compared with what `read` has returned. */
  start(): void {
    this.#recording = repeat({
      every: everySeconds,
      run: () => this.#record(),
      failed: (error) => this.#warnOfRecord(error),
    });
  }

  /** Records the last revision, for which it waits two seconds at most. */
  async stop(): Promise<void> {
    if (!this.#recording) return;
    const last = this.#recording.stop().then(() => this.#record());
    await Promise.race([
      last.catch((error: unknown) => this.#warnOfRecord(error)),
      pause(answerMilliseconds, undefined, { ref: false }),
    ]);
  }

  async #find(): Promise<number> {
    const manager = await this.#managerOf();
    if (!(await streamInfo(manager, this.#stream))) return 0;
    const entry = await manager.direct.getMessage(this.#stream, { last_by_subj: this.#subject });
    this.#isFailing = false;
    if (!entry) return 0;
    const { data: found, error } = entrySchema.safeParse(jsonOf(entry.string()));
    if (error)
      this.#options.log.warn('what NATS has of the revision of the database is not readable', { error });
    return found?.revision ?? 0;
  }

  async #record(): Promise<void> {
    const { nats, topology, bucketReplicas, raise } = this.#options;
    if (bucketReplicas !== undefined)
      await ensureBucket(await this.#managerOf(), {
        ...sharedBucketOf(topology.buckets.databases),
        num_replicas: bucketReplicas,
      });
    const revision = await raise();
    await jetstream(nats, { timeout: answerMilliseconds }).publish(
      this.#subject,
      JSON.stringify({ revision }),
    );
    this.#isFailing = false;
  }

  async #managerOf(): Promise<JetStreamManager> {
    return (this.#manager ??= await jetstreamManager(this.#options.nats, {
      checkAPI: false,
      timeout: answerMilliseconds,
    }));
  }

  #warnOfRecord(error: unknown): void {
    this.#warn('the revision of the database could not be recorded in NATS; it is tried again', error);
  }

  /** Once until it is done again. */
  #warn(message: string, error: unknown): void {
    if (!this.#isFailing) this.#options.log.warn(message, { error });
    this.#isFailing = true;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
