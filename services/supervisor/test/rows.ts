import { openKysely } from '@sluice/service/kysely';
import pg from 'pg';
import type { Tables } from '@sluice/region-store/tables';
import type { Region } from './region.ts';
import { simulatedDrivers } from './simulated-drivers.ts';

/** Starts the region with simulated nodes, and opens its database for a test that writes rows itself. */
export async function startWithRows(region: Region) {
  const { url } = await region.startWith({ drivers: simulatedDrivers({ runningFrom: 1 }) });
  const pool = new pg.Pool({ connectionString: region.databaseUrl, max: 4 });
  const database = openKysely<Tables>(pool);
  region.onClose(() => database.destroy());
  return { url, pool, database };
}
