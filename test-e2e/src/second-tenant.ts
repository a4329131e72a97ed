import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isStackGiven, seedGiven, untilKnown, type SeededTenant, type Stack } from '@sluice/testing';

const seedProgram = join(import.meta.dirname, '../../services/main-api/src/seed.ts');

/** Makes another tenant with an admin key beside the stack's first, as an operator does: with main-api's seed program. */
export async function seedTenant(stack: Stack, name: string): Promise<SeededTenant> {
  // a stack that is there for longer has had one of this name
  if (isStackGiven) return await seedGiven(stack, `${name} ${Date.now()}`);
  const password = (await readFile(join(stack.home, 'secrets/main-api.database'), 'utf8')).trim();
  const { stdout } = await promisify(execFile)(process.execPath, [seedProgram], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATABASE_URL: `postgresql://main_api:${password}@127.0.0.1:${stack.portBase + 10}/main_api`,
      NATS_URL: stack.nats_url,
      CATALOGUE_FILE: join(import.meta.dirname, '../../infra/catalogue.yaml'),
      PUBLIC_URL: stack.base_url,
      SEED_TENANT_NAME: name,
      SEED_OWNER_EMAIL: `${name.toLowerCase().replaceAll(/\W+/g, '-')}@example.org`,
      SEED_OWNER_NAME: 'Somebody else',
    },
  });
  const seeded = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as SeededTenant;
  await untilKnown(stack, seeded);
  return seeded;
}
