import { randomUUID } from 'node:crypto';
import { idOf, type ApiKeyId, type DivisionId, type TenantId, type UserId } from '@sluice/contracts';
import type { Outgoing } from '@sluice/messaging';
import { startRuntime } from '@sluice/runtime';
import {
  createLog,
  inTransaction,
  newContext,
  readConfig,
  signingServiceEnvironment,
  withContext,
  type Sql,
} from '@sluice/service';
import { eventually, testKeys } from '@sluice/testing';
import express from 'express';
import { tenantOf } from './filling.ts';

/** events of one change: more than a relay sends at a time, as it finds them when many come */
const perChange = 1_000;
const migrations = new URL('../../../services/main-api/migrations/', import.meta.url);

/** main-api as far as it sends events: they are stored in its outbox, and its relay signs and sends them as it finds them there. */
export async function startSender(servers: { DATABASE_URL: string; NATS_URL: string }) {
  const environment = readConfig(signingServiceEnvironment, {
    ...servers,
    PORT: '0',
    SIGNING_KEYS: testKeys.signing.get('main-api') ?? '',
    TRUSTED_KEYS: testKeys.trusted,
  });
  const runtime = await startRuntime(
    'main-api',
    environment,
    migrations,
    createLog('bench', 'warn', 'stderr'),
    {
      authorizes: false,
      streams: ['events'],
    },
  );
  const service = await runtime.serve(express());
  const work = runtime.unitOfWork<Sql>((change) => inTransaction(runtime.pool, change));

  async function change(first: number, count: number, tenants: number): Promise<void> {
    const cause = {
      author: { id: idOf<UserId>(1 + (first % 50)), name: 'Ada Lovelace' },
      api_key: { id: idOf<ApiKeyId>(9), name: 'deploy' },
      correlation_id: randomUUID(),
    };
    await withContext(newContext(), () =>
      work({ cause }, async (tx) => {
        for (let number = first; number < first + count; number++) emit(tx, number, tenants);
      }),
    );
  }

  return {
    /** Resolves when NATS has them all. */
    async send(events: number, tenants: number): Promise<void> {
      for (let first = 0; first < events; first += perChange)
        await change(first, Math.min(perChange, events - first), tenants);
      await eventually(
        async () => {
          const { rows } = await runtime.pool.query('SELECT FROM outbox LIMIT 1');
          if (rows.length > 0) throw new Error('not all events are sent');
        },
        { timeoutMs: 600_000, everyMs: 50 },
      );
    },

    stop: () => service.stop(),
  };
}

function emit(tx: Outgoing, number: number, tenants: number): void {
  const about = {
    tenant_id: idOf<TenantId>(tenantOf(number, tenants)),
    division: { id: idOf<DivisionId>(1 + (number % 5)), name: 'Payments' },
  };
  tx.emit('division_updated', about, { changes: { description: 'other' }, former: { description: 'one' } });
}
