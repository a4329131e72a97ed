import { join } from 'node:path';
import { CannotStart } from '@sluice/embedded';
import { announce } from '../announce.ts';
import { databaseSettingsOf } from '../databases.ts';
import { firstTenant, seedRunner } from '../first-tenant.ts';
import { namespace } from '../plan.ts';
import { commonServices } from '../service-secrets.ts';
import { repository } from '../settings.ts';
import { readStackFile, writeStackFile } from '../stack-file.ts';
import { home, postgres, publicUrl, regionHost, regions } from './installation.ts';

/** Makes the first tenant where there is none, and tells where everything is and a key that works. */

const program = join(repository, 'services/main-api/src/seed.ts');
const environment = {
  PATH: process.env.PATH,
  ...(await databaseSettingsOf(home, commonServices[0], postgres)),
  NATS_NAMESPACE: namespace,
  CATALOGUE_FILE: process.env.CATALOGUE_FILE,
};

try {
  const { signal } = new AbortController();
  const seed = seedRunner(program, environment, signal);
  const tenant = await firstTenant(seed, 'http://main-api:8080', await readStackFile(home), signal);
  const stack = {
    console_url: process.env['CONSOLE_URL'],
    base_url: publicUrl('api', process.env),
    audit_url: publicUrl('audit', process.env),
    supervisors: regions.map((region) => ({ ...region, url: publicUrl(regionHost(region), process.env) })),
    ...tenant,
  };
  await writeStackFile(home, stack);
  console.log(announce(stack, 'Sluice is ready.'));
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error);
  process.exitCode = 1;
}
