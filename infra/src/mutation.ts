import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startTestServers } from '@sluice/testing';
import { repository } from './settings.ts';

/**
 * Runs the mutation tester over one area of `stryker.config.mjs`: `npm run mutation -- messaging`. What follows the
 * area is passed on to Stryker, for example `--mutate packages/messaging/src/relay.ts:100-154`. All of its
 * test runs share one PostgreSQL and one NATS.
 */

const [area = '', ...more] = process.argv.slice(2);
const servers = await startTestServers();
process.once('exit', () => servers.abandon());
const stryker = spawn(
  process.execPath,
  [join(repository, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', ...more],
  {
    cwd: repository,
    stdio: 'inherit',
    env: {
      ...process.env,
      MUTATION_AREA: area,
      TEST_POSTGRES_URL: servers.postgresUrl,
      TEST_NATS_URL: servers.natsUrl,
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stryker.kill(signal));
const [code] = (await once(stryker, 'exit')) as [number | null];
await servers.stop();
process.exit(code ?? 1);
