import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ServiceFixture } from '@sluice/testing';

const program = fileURLToPath(new URL('../src/seed.ts', import.meta.url));

/** Runs the seed as the launcher of a stack does, and answers what it prints. */
export async function runSeed(
  { environment }: Pick<ServiceFixture, 'environment'>,
  more: Record<string, string> = {},
): Promise<{ tenant_id: number; division_id: number; api_key?: string }> {
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    env: {
      ...environment,
      SEED_TENANT_NAME: 'Acme',
      SEED_OWNER_EMAIL: 'owner@example.com',
      SEED_OWNER_NAME: 'Olivia',
      ...more,
    },
  });
  return JSON.parse(stdout) as { tenant_id: number; division_id: number; api_key?: string };
}
