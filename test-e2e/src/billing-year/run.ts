import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startPostgres } from '@sluice/embedded';
import { numberSetting, say, seedSetting } from '../long-run.ts';
import { billingYear } from './billing-year.ts';

/**
 * A year of random tenants in two regions with faults, against a naive program that knows the plan and the prices alone. Exit code 1 when an
 * amount differs by a cent, a second is missing, or one is counted twice.
 *
 * `YEAR_SEED`, `YEAR_TENANTS` (50), `YEAR_DEPLOYMENTS` (500), `YEAR_MONTHS` (12), `YEAR_RESTORES` (6, of each database), `YEAR_KILLS` (0.02),
 * `YEAR_POSTGRES_URL` (a superuser's, of a server to use in place of an own one)
 */
const seed = seedSetting('YEAR_SEED');
const size = {
  tenants: numberSetting('YEAR_TENANTS', 50),
  deployments: numberSetting('YEAR_DEPLOYMENTS', 500),
  months: numberSetting('YEAR_MONTHS', 12),
  restores: numberSetting('YEAR_RESTORES', 6),
  kills: numberSetting('YEAR_KILLS', 0.02),
};

/** A PostgreSQL for this run, which does not wait for its disk. */
async function ownServer() {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-billing-year-'));
  const server = await startPostgres({ folder, port: await freePort(), durable: false });
  const end = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: server.url, end };
}

say(`seed ${seed}: ${JSON.stringify(size)}`);
const given = process.env['YEAR_POSTGRES_URL'];
const server = given === undefined ? await ownServer() : { url: given, end: () => Promise.resolve() };
let differing = 0;
try {
  const { counts } = await billingYear({ ...size, seed, server: server.url }, (compared) => {
    const { at, amounts, total, differences } = compared;
    const until = new Date(at * 1000).toISOString().slice(0, 16);
    const before = `${Number(total) / 100} USD in the month before`;
    say(`${until}  ${amounts} amounts, ${before}, ${differences.length} differences`);
    for (const difference of differences.slice(0, 5)) say(`  ${difference}`);
    differing += differences.length;
  });
  say(JSON.stringify(counts));
} finally {
  await server.end();
}
process.exitCode = differing > 0 ? 1 : 0;
