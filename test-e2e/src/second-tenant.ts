import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { client, eventually, type Stack } from '@sluice/testing';

const seedProgram = join(import.meta.dirname, '../../services/main-api/src/seed.ts');

export interface SeededTenant {
  tenant_id: number;
  division_id: number;
  api_key: string;
}

/** Makes another tenant with an admin key beside the stack's first, as an operator does: with main-api's seed program. */
export async function seedTenant(stack: Stack, name: string): Promise<SeededTenant> {
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

/** Waits until the key is known everywhere: it reaches the services by NATS, after the seed has ended. */
async function untilKnown(stack: Stack, { tenant_id, api_key }: SeededTenant): Promise<void> {
  const probes = [
    `${stack.base_url}/tenants/${tenant_id}`,
    `${stack.audit_url}/audit/tenants/${tenant_id}`,
    ...stack.supervisors.map(({ url }) => `${url}/tenants/${tenant_id}/summary`),
  ];
  const known = async (probe: string) => {
    const { status } = await client(probe, api_key).request('GET', '');
    if (status === 401) throw new Error(`${probe}: the key is not known`);
  };
  await Promise.all(probes.map((probe) => eventually(() => known(probe))));
}
