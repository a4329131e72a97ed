import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compiledCode } from './environment.ts';
import { untilKnown, type SeededTenant } from './given-stack.ts';
import { repository } from './repository.ts';
import type { StackFile } from './stack-file.ts';

type StackHere = Omit<StackFile, keyof SeededTenant> & { home: string };

/** Makes a tenant with an admin key on a stack of this machine, as an operator does: with main-api's seed program. */
export async function seedBeside(stack: StackHere, name: string): Promise<SeededTenant> {
  const stdout = await runBeside(stack, 'seed.ts', [], {
    PORT: '0',
    NATS_URL: stack.nats_url,
    PUBLIC_URL: stack.base_url,
    SEED_TENANT_NAME: name,
    SEED_OWNER_EMAIL: `${name.toLowerCase().replaceAll(/\W+/g, '-')}@example.org`,
    SEED_OWNER_NAME: 'Owner',
  });
  const seeded = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as SeededTenant;
  await untilKnown(stack, seeded);
  return seeded;
}

/**
 * Agrees on limits with a tenant of a stack of this machine, as an operator does. It has to be on the plan enterprise.
 * @param agreed by the names of a tenant's `features`
 */
export async function agreeBeside(stack: StackHere, tenantId: number, agreed: object): Promise<void> {
  await runBeside(stack, 'set-plan-overrides.ts', [String(tenantId), JSON.stringify(agreed)], {});
}

/** Runs a program of main-api with its database. @returns what it prints */
async function runBeside(
  { home, base_url }: StackHere,
  program: string,
  args: readonly string[],
  settings: NodeJS.ProcessEnv,
): Promise<string> {
  const password = (await readFile(join(home, 'secrets/main-api.database'), 'utf8')).trim();
  const database = Number(new URL(base_url).port) + 10;
  const env = {
    ...compiledCode(),
    PATH: process.env.PATH,
    DATABASE_URL: `postgresql://main_api:${password}@127.0.0.1:${database}/main_api`,
    CATALOGUE_FILE: join(repository, 'infra/catalogue.yaml'),
    ...settings,
  };
  const path = join(repository, 'services/main-api/src', program);
  return (await promisify(execFile)(process.execPath, [path, ...args], { env })).stdout;
}
