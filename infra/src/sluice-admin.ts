import { join } from 'node:path';
import { main } from '@sluice/admin';
import { CannotStart } from '@sluice/embedded';
import { databaseSettingsOf, ownsDatabase } from './databases.ts';
import { operatorSeed } from './nats-users.ts';
import { host, namespace } from './plan.ts';
import { readSettings } from './settings.ts';
import { sluicePlan } from './sluice-plan.ts';
import { readStackFile } from './stack-file.ts';

/**
 * `npm run --silent sluice-admin -- dead-letters list`: the same as `sluice-admin` of an installation, for the stack that
 * `npm start` runs.
 */

/** What `sluice-admin` has to know of the stack. @throws CannotStart when there is none */
async function readStack() {
  const { home: folder } = readSettings(process.env);
  const path = (...names: string[]) => join(folder, ...names);
  const stack = await readStackFile({ path });
  if (!stack) throw new CannotStart(`There is no stack in ${folder}: npm start makes one.`);
  const settings = {
    NATS_URL: stack.nats_url,
    NATS_NAMESPACE: namespace,
    NATS_NKEY_SEED: await operatorSeed({ path }),
  };
  const portBase = Number(new URL(stack.base_url).port);
  const home = { folder, path, release: async () => {} };
  const { services, ports } = await sluicePlan({ home: folder, portBase }, home, '');
  const databases = services.filter(ownsDatabase).map(async (service): Promise<[string, string]> => {
    const { DATABASE_URL } = await databaseSettingsOf(home, service, `${host}:${ports.postgres}`);
    return [service.name, DATABASE_URL];
  });
  return { settings, databases: new Map(await Promise.all(databases)) };
}

try {
  const { settings, databases } = await readStack();
  await main(process.argv.slice(2), settings, databases);
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error);
  process.exitCode = 1;
}
