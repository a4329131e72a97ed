import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compiledCode } from './environment.ts';
import { untilKnown, type SeededTenant } from './given-stack.ts';
import { repository } from './repository.ts';
import type { StackFile } from './stack-file.ts';

/** Makes a tenant with an admin key on a stack of this machine, as an operator does: with main-api's seed program. */
export async function seedBeside(
  stack: Omit<StackFile, keyof SeededTenant> & { home: string },
  name: string,
): Promise<SeededTenant> {
  const password = (await readFile(join(stack.home, 'secrets/main-api.database'), 'utf8')).trim();
  const database = Number(new URL(stack.base_url).port) + 10;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(repository, 'services/main-api/src/seed.ts')],
    {
      env: {
        ...compiledCode(),
        PATH: process.env.PATH,
        PORT: '0',
        DATABASE_URL: `postgresql://main_api:${password}@127.0.0.1:${database}/main_api`,
        NATS_URL: stack.nats_url,
        CATALOGUE_FILE: join(repository, 'infra/catalogue.yaml'),
        PUBLIC_URL: stack.base_url,
        SEED_TENANT_NAME: name,
        SEED_OWNER_EMAIL: `${name.toLowerCase().replaceAll(/\W+/g, '-')}@example.org`,
        SEED_OWNER_NAME: 'Owner',
      },
    },
  );
  const seeded = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as SeededTenant;
  await untilKnown(stack, seeded);
  return seeded;
}
