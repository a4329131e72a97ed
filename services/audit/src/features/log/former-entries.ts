import { setTimeout as pause } from 'node:timers/promises';
import { eventTypes, type EventType } from '@sluice/contracts';
import { PermanentError, type Log, type Page, type RunTransaction, type Sql } from '@sluice/service-kit';
import type { Transaction } from '../../database/tables.ts';
import type { Found } from '../../stores/entries.store.ts';
import {
  areFormerEntries,
  areFormerEntriesOf,
  findWithFormerEntries,
  takeFormerEntries,
  type FormerEntry,
} from '../../stores/former-entries.store.ts';
import type { EntryFilter } from '../../stores/log-filter.ts';
import type { PlansService } from '../plans/plans.service.ts';
import { preparedDraft, type Draft, type LogService } from './log.service.ts';

export interface FormerEntriesOptions {
  sql: Sql;
  transaction: RunTransaction<Transaction>;
  entries: LogService;
  plans: PlansService;
  log: Log;
}

const batchSize = 500;
/** entries, after which the log says how far it is */
const tellEvery = 100 * batchSize;
/** while there is something to take that was there at the start, and another replica does */
const lookMilliseconds = 1_000;
const everyMilliseconds = 5_000;

/** which that release did not know, and so recorded; they are between services */
const unauditedTypes = Object.entries<EventType>(eventTypes)
  .filter(([, { audit }]) => !audit)
  .map(([type]) => type);

/**
 * Takes what the release before has recorded over into the log, beside those who record: all that is there at the start, then what replicas
 * of that release add as long as they run. It goes on where it was, whichever replica began.
 */
export class FormerEntries {
  readonly #options: FormerEntriesOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  /** whether all that was there at the start is in the log */
  #settled = false;

  constructor(options: FormerEntriesOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#keepTaking();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /**
   * A page of the log together with what it does not have yet.
   * @returns undefined where the log of the tenant has all that was there at the start
   */
  async find(filter: EntryFilter, page: Page): Promise<Found | undefined> {
    const { sql } = this.#options;
    if (this.#settled || !(await areFormerEntriesOf(sql, filter.tenant))) return undefined;
    return await findWithFormerEntries(sql, filter, page, unauditedTypes);
  }

  async #keepTaking(): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#takeAll();
      } catch (error) {
        log.warn('entries of the release before could not be taken over; it will be tried again', { error });
      }
      const rest = this.#settled ? everyMilliseconds : lookMilliseconds;
      await pause(rest, undefined, { signal }).catch(() => undefined);
    }
  }

  async #takeAll(): Promise<void> {
    const { sql, log } = this.#options;
    let count = 0;
    let taken: number;
    do {
      count += taken = await this.#take();
      if (count > 0 && count % tellEvery === 0)
        log.info('entries of the release before are being taken over', { count });
    } while (taken === batchSize && !this.#stopping.signal.aborted);
    this.#settled ||= !(await areFormerEntries(sql));
  }

  /** @returns how many there were */
  async #take(): Promise<number> {
    const { transaction, entries } = this.#options;
    return await transaction(async (tx) => {
      const taken = await takeFormerEntries(tx, batchSize);
      const audited = taken.filter(({ type }) => !unauditedTypes.includes(type));
      await entries.append(
        tx,
        audited.map((entry) => preparedDraft(draftOfFormer(entry))),
      );
      for (const entry of taken) if (entry.type === 'tenant_features_updated') await this.#tell(tx, entry);
      return taken.length;
    });
  }

  /** The release before has recorded what a plan allows like any event, and did nothing else with it. */
  async #tell(tx: Transaction, entry: FormerEntry): Promise<void> {
    const { plans, log } = this.#options;
    try {
      await plans.record(tx, entry);
    } catch (error) {
      if (!(error instanceof PermanentError)) throw error;
      const { tenant_id, event_id } = entry;
      log.error('what the release before has recorded of a plan cannot be read', { tenant_id, event_id });
    }
  }
}

function draftOfFormer(row: FormerEntry): Draft {
  const ref = (id: number | null, name: string | null) =>
    id === null || name === null ? null : { id, name };
  return {
    tenant_id: row.tenant_id,
    event_id: row.event_id,
    position: row.sequence,
    type: row.type,
    author: ref(row.author_id, row.author_name),
    user: ref(row.user_id, row.user_name),
    division: ref(row.division_id, row.division_name),
    environment: ref(row.environment_id, row.environment_name),
    deployment: ref(row.deployment_id, row.deployment_name),
    api_key: ref(row.api_key_id, row.api_key_name),
    data: row.data,
    as_sent: row.as_sent,
    correlation_id: row.correlation_id,
    occurred_at: row.occurred_at.toISOString(),
    recorded_at: row.occurred_at,
  };
}
