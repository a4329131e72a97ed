import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { supervisorOf, topology, type DeploymentId } from '@sluice/contracts';
import { freePort, startPostgres } from '@sluice/embedded';
import { createUnitOfWork } from '@sluice/messaging';
import { createLog, createPool, migrate, system } from '@sluice/service';
import { kyselyTransactions, openKysely } from '@sluice/service/kysely';
import { insertInitialized } from '@sluice/testing';
import type { Tables, Transaction } from '@sluice/region-store/tables';
import { enter } from '../../../services/supervisor/src/reconciler/status-changes.ts';
import { findLocked } from '@sluice/region-store/deployments.store';
import { cpuOf } from '../api/processes.ts';

const migrations = new URL('../../../services/supervisor/migrations/', import.meta.url);
const region = { cloud: 'cloud_a', region: 'us-east-1' } as const;
const deployments = 100;
/** of each deployment */
const changes = 6;
const price = {
  ...{ compute: 5_000, storage: 1_400, network: 125, telemetry: 0, data_retention: 230 },
  list: 1,
};

/** milliseconds for each change */
interface Costs {
  free: number;
  priced: number;
  /** of PostgreSQL */
  cpu: { free: number; priced: number };
}

/**
 * What an interval costs the reconciler: deployments are stopped and started by the supervisor's transactions, such that cost nothing and such that
 * have a price, in turn.
 */
export async function statusChanges(): Promise<Costs> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-intervals-'));
  const server = await startPostgres({ folder, port: await freePort(), durable: false });
  const pool = createPool(server.url, 2, createLog('bench', 'error'));
  const database = openKysely<Tables>(pool);
  try {
    await migrate(pool, migrations);
    const ways = { free: 1_000_000, priced: 2_000_000 };
    for (const firstId of Object.values(ways)) await insertInitialized(pool, deployments, { firstId });
    await pool.query(
      `UPDATE deployments SET spec = jsonb_set(spec, '{limits}', spec -> 'limits' || $1::jsonb) WHERE id >= $2`,
      [JSON.stringify({ price, monthly_cents: 6_755 }), ways.priced],
    );
    let now = Date.now();
    const work = createUnitOfWork<Transaction>({
      ...{ topology: topology('bench'), sender: supervisorOf(region), now: () => new Date(now) },
      transaction: kyselyTransactions(database),
    });
    const taken = { free: 0, priced: 0 };
    const cpu = { free: 0, priced: 0 };
    for (let round = 0; round < changes; round++) {
      now += 60_000;
      const status = round % 2 === 0 ? 'stopped' : 'initialized';
      for (const [way, firstId] of Object.entries(ways) as [keyof typeof ways, number][]) {
        const [begun, before] = [performance.now(), cpuOf(server.pid, { children: true })];
        for (let id = firstId; id < firstId + deployments; id++)
          await work(system, async (tx) => {
            const deployment = await findLocked(tx.db, id as DeploymentId);
            if (!deployment) throw new Error(`there is no deployment ${id}`);
            await enter(tx, deployment, { status }, new Date(now));
          });
        taken[way] += performance.now() - begun;
        cpu[way] += (cpuOf(server.pid, { children: true }) - before) / 1_000;
      }
    }
    const { rows } = await pool.query('SELECT FROM usage_intervals');
    if (rows.length === 0) throw new Error('there are no intervals');
    const each = (sums: typeof taken) => ({
      free: sums.free / deployments / changes,
      priced: sums.priced / deployments / changes,
    });
    return { ...each(taken), cpu: each(cpu) };
  } finally {
    await database.destroy();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
