import type { TenantId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf } from '@sluice/http';
import type { Outgoing, UnitOfWork } from '@sluice/messaging';
import { problem } from '@sluice/service';
import type { SecretBox } from '@sluice/system/secrets';
import type { Insertable } from 'kysely';
import type { Database, Tables, Transaction } from '../../database/tables.ts';
import type { operations } from '../../generated/api.ts';
import {
  beginSinkTest,
  deleteSink,
  getSink,
  insertSink,
  lockSink,
  updateSink,
  type SinkRow,
} from './sinks.store.ts';
import { findOldestEntryAfter, findLogEnd } from '../audit-log/log-reading.store.ts';
import type { PlansService } from '../plans/plans.service.ts';
import type { OpenDestination } from './destinations/index.ts';
import {
  destinationOf,
  isSame,
  kindOf,
  settingsOf,
  type SinkRules,
  type SinkSettings,
} from './sink-settings.ts';

type SinkInput = BodyOf<operations['putAuditSink']>;

export interface SinksDependencies {
  database: Database;
  work: UnitOfWork<Transaction>;
  secrets: SecretBox;
  plans: PlansService;
  rules: SinkRules;
  open: OpenDestination;
}

interface TenantPath {
  tenant_id: TenantId;
}

/** A sink with its settings in clear. */
export interface ReadSink extends SinkRow {
  settings: SinkSettings;
}

/** Also with what waits for it. */
export interface OpenedSink extends ReadSink {
  behind: number;
  oldestWaitingAt: Date | null;
  /** whether the plan allows it */
  allowed: boolean;
}

export type SinksService = ReturnType<typeof sinksService>;

const testMilliseconds = 15_000;
const secondsBetweenTests = 10;

/** The sinks that the logs of tenants are sent to (interface, 4.15). */
export function sinksService({ database, work, secrets, plans, rules, open }: SinksDependencies) {
  const opened = async (row: SinkRow) => JSON.parse(await secrets.open(row.sealed_settings)) as SinkSettings;
  const named = (settings: SinkSettings) => ({
    kind: kindOf(settings),
    destination: destinationOf(settings),
  });

  return {
    /** @throws Problem `not_found` */
    async get({ tenant_id }: TenantPath): Promise<OpenedSink> {
      const row = await getSink(database, tenant_id);
      const [settings, end, oldest, allowed] = await Promise.all([
        opened(row),
        findLogEnd(database, tenant_id),
        findOldestEntryAfter(database, tenant_id, { after: row.position }),
        plans.mayExport(tenant_id),
      ]);
      const behind = oldest ? Math.max(0, end - oldest.seq + 1) : 0;
      return { ...row, settings, behind, oldestWaitingAt: oldest?.recorded_at ?? null, allowed };
    },

    /**
     * Sets where the log is sent; the same once more changes nothing.
     * @param check of the sink that is there, if any, with the preconditions of the request
     * @throws Problem `forbidden`, `feature_not_available`, `invalid_request`, `changed_meanwhile`
     */
    async put(
      caller: Caller,
      { tenant_id }: TenantPath,
      input: SinkInput,
      check: (sink: ReadSink | null) => void,
    ): Promise<void> {
      requireLog(caller);
      const store = async (tx: Transaction & Outgoing): Promise<void> => {
        const row = await lockSink(tx.db, tenant_id);
        const stored = row && (await opened(row));
        check(row && stored ? { ...row, settings: stored } : null);
        const settings = settingsOf(input, stored, rules);
        const { enabled = true, interval_seconds = 10, start } = input;
        const isKept =
          row?.enabled === enabled && row.interval_seconds === interval_seconds && start === undefined;
        if (isKept && stored && isSame(settings, stored)) return;
        const sink = {
          tenant_id,
          kind: kindOf(settings),
          destination: destinationOf(settings),
          sealed_settings: await secrets.seal(JSON.stringify(settings)),
          enabled,
          interval_seconds,
          position: await positionFor(tx.db, tenant_id, start ?? (row ? undefined : 'now'), row?.position),
        } satisfies Insertable<Tables['sinks']>;
        if (row) await updateSink(tx.db, tenant_id, sink);
        // another request has created one meanwhile: this one is about that now
        else if (!(await insertSink(tx.db, sink))) return store(tx);
        tx.emit('audit_sink_updated', { tenant_id }, { ...named(settings), enabled });
      };
      await work(caller, async (tx) => {
        await plans.requireExport(tx.db, tenant_id);
        await store(tx);
      });
    },

    /** @throws Problem `not_found` */
    async delete(caller: Caller, { tenant_id }: TenantPath): Promise<void> {
      await work(caller, async (tx) => {
        const row = await lockSink(tx.db, tenant_id);
        if (!row) throw problem('not_found');
        await deleteSink(tx.db, tenant_id);
        tx.emit('audit_sink_deleted', { tenant_id }, { kind: row.kind, destination: row.destination });
      });
    },

    /** Sends something that is no entry. @throws Problem `not_found`, `feature_not_available`, `sink_test_throttled` */
    async test(caller: Caller, { tenant_id }: TenantPath, gone: AbortSignal) {
      const settings = await work(caller, async (tx) => {
        await plans.requireExport(tx.db, tenant_id);
        const row = await lockSink(tx.db, tenant_id);
        if (!row) throw problem('not_found');
        const rest = await beginSinkTest(tx.db, tenant_id, secondsBetweenTests);
        if (rest > 0) throw tooSoon(rest);
        tx.emit('audit_sink_tested', { tenant_id }, { kind: row.kind, destination: row.destination });
        return await opened(row);
      });
      const destination = await open(settings, tenant_id);
      try {
        await destination.test(AbortSignal.any([gone, AbortSignal.timeout(testMilliseconds)]));
        return { taken: true, reason: null };
      } catch (error) {
        return { taken: false, reason: (error as Error).message };
      } finally {
        await destination.close();
      }
    },
  };
}

/** A caller who may not read the log may not have it sent anywhere. */
const requireLog = (caller: Caller) => caller.require('tenant', 'audit:read');

async function positionFor(
  db: Database,
  tenantId: TenantId,
  start: 'beginning' | 'now' | undefined,
  former = 0,
): Promise<number> {
  if (start === undefined) return former;
  const end = await findLogEnd(db, tenantId);
  if (start === 'now') return end;
  const oldest = await findOldestEntryAfter(db, tenantId, { after: 0 });
  return oldest ? oldest.seq - 1 : end;
}

function tooSoon(seconds: number) {
  return problem('sink_test_throttled', { headers: { 'retry-after': String(Math.ceil(seconds)) } });
}
