import { execFile } from 'node:child_process';
import dns from 'node:dns';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { client } from './client.ts';
import { eventually } from './eventually.ts';
import type { StackFile } from './stack-file.ts';

/**
 * Black-box tests against a stack that runs already, such as that of `infra/compose.yaml`: `SLUICE_STACK_FILE` is its
 * `stack.json`, and `SLUICE_STACK_EXEC` runs what comes after it where main-api is, such as `docker compose exec -T main-api`.
 */
export const isStackGiven = (process.env.SLUICE_STACK_FILE ?? '') !== '';

/** A tenant, its first division, and an admin key of it. */
export interface SeededTenant {
  tenant_id: number;
  division_id: number;
  api_key: string;
}

type Addresses = Pick<StackFile, 'base_url' | 'audit_url' | 'supervisors'>;

/** What the file says of the stack, with a tenant of its own for each who asks, so that no test sees what others have made. */
export async function givenStack(): Promise<StackFile> {
  if (!process.env.SLUICE_STACK_FILE) throw new Error('SLUICE_STACK_FILE names no stack.');
  const file = JSON.parse(await readFile(process.env.SLUICE_STACK_FILE, 'utf8')) as StackFile;
  findLoopbackHosts();
  return { ...file, ...(await seedGiven(file, `Tenant of ${process.pid} at ${Date.now()}`)) };
}

/** Makes a tenant there with main-api's seed program; its key is known everywhere. */
export async function seedGiven(stack: Addresses, name: string): Promise<SeededTenant> {
  const [command = '', ...args] = (process.env.SLUICE_STACK_EXEC ?? '').split(' ').filter(Boolean);
  if (command === '') throw new Error('SLUICE_STACK_EXEC does not say how to run a program beside main-api.');
  const settings = [
    `SEED_TENANT_NAME=${name}`,
    `SEED_OWNER_EMAIL=${name.toLowerCase().replaceAll(/\W+/g, '-')}@example.org`,
    'SEED_OWNER_NAME=Owner',
  ];
  const program = ['node', '--disable-warning=ExperimentalWarning', 'services/main-api/src/seed.ts'];
  const { stdout } = await promisify(execFile)(command, [...args, 'env', ...settings, ...program]);
  const seeded = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as SeededTenant;
  await untilKnown(stack, seeded);
  return seeded;
}

/** Waits until the key is known everywhere: it reaches the services by NATS, after the seed has ended. */
export async function untilKnown(
  stack: Addresses,
  { tenant_id, api_key }: Pick<SeededTenant, 'tenant_id' | 'api_key'>,
): Promise<void> {
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

/** Names below localhost are of this machine (RFC 6761): browsers and curl know that, not every resolver does. */
export function findLoopbackHosts(): void {
  const lookup = dns.lookup;
  const patched = (name: string, ...rest: unknown[]): unknown =>
    Reflect.apply(lookup, dns, [name.endsWith('.localhost') ? 'localhost' : name, ...rest]);
  Object.assign(dns, { lookup: Object.assign(patched, lookup) });
}
