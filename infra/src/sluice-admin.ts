import { join } from 'node:path';
import { main } from '@sluice/admin';
import { CannotStart } from '@sluice/embedded';
import { databaseSettingsOf } from './databases.ts';
import { operatorSeed } from './nats-users.ts';
import { host, namespace } from './plan.ts';
import { readSettings } from './settings.ts';
import { sluicePlan } from './sluice-plan.ts';
import { readStackFile } from './stack-file.ts';

/**
 * `npm run --silent sluice-admin -- dead-letters list`: the same as `sluice-admin` of an installation, for the stack that
 * `npm start` runs. `--service=audit` says in whose database it is, where that matters.
 */

/** What `sluice-admin` has to know of the stack. @throws CannotStart when there is none, or not that service */
async function environmentOf(service: string | undefined): Promise<NodeJS.ProcessEnv> {
  const { home: folder } = readSettings(process.env);
  const path = (...names: string[]) => join(folder, ...names);
  const stack = await readStackFile({ path });
  if (!stack) throw new CannotStart(`There is no stack in ${folder}: npm start makes one.`);
  const settings = {
    NATS_URL: stack.nats_url,
    NATS_NAMESPACE: namespace,
    NATS_NKEY_SEED: await operatorSeed({ path }),
  };
  if (service === undefined) return settings;
  const portBase = Number(new URL(stack.base_url).port);
  const home = { folder, path, release: async () => {} };
  const plan = await sluicePlan({ home: folder, portBase }, home, '');
  const found = plan.services.find(({ name }) => name === service);
  if (!found)
    throw new CannotStart(`--service is one of ${plan.services.map(({ name }) => name).join(', ')}.`);
  const databaseOf = async (one: typeof found) =>
    (await databaseSettingsOf(home, one, `${host}:${plan.ports.postgres}`)).DATABASE_URL;
  const audit = plan.services.find(({ name }) => name === 'audit');
  return {
    ...{ ...settings, DATABASE_URL: await databaseOf(found) },
    ...(audit && { AUDIT_DATABASE_URL: await databaseOf(audit) }),
  };
}

const flag = '--service=';
const args = process.argv.slice(2);
const service = args.find((argument) => argument.startsWith(flag))?.slice(flag.length);
try {
  const environment = await environmentOf(service);
  process.exitCode = await main(
    args.filter((argument) => !argument.startsWith(flag)),
    environment,
  );
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error);
  process.exitCode = 1;
}
