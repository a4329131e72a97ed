import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CannotStart } from '@sluice/embedded';
import { z } from 'zod';

const tenantSchema = z.object({ tenant_id: z.int(), division_id: z.int(), api_key: z.string().optional() });
export type FirstTenant = Required<z.infer<typeof tenantSchema>>;

/** How long a key may take to be known everywhere: one that was just made, and one that worked before. */
const newKeyMs = 60_000;
const oldKeyMs = 2_000;

/**
 * The tenant that a new stack begins with, and an admin key of it that works: the key of the last start if it still
 * does, else the one that comes with the tenant, else a new one.
 */
export async function firstTenant(
  seed: (environment: Record<string, string>) => Promise<z.infer<typeof tenantSchema>>,
  baseUrl: string,
  previous: FirstTenant | undefined,
  signal: AbortSignal,
): Promise<FirstTenant> {
  if (previous && (await keyWorks(baseUrl, previous, oldKeyMs, signal))) {
    return { tenant_id: previous.tenant_id, division_id: previous.division_id, api_key: previous.api_key };
  }
  const found = await seed({});
  const { tenant_id, division_id, api_key } = found.api_key ? found : await seed({ SEED_NEW_KEY: 'true' });
  if (api_key === undefined)
    throw new CannotStart('The seed program has made no API key for the first tenant.');
  const tenant = { tenant_id, division_id, api_key };
  if (!(await keyWorks(baseUrl, tenant, newKeyMs, signal))) {
    throw new CannotStart('The API key of the first tenant does not work: the log of main-api may say why.');
  }
  return tenant;
}

/** Runs main-api's seed program, which creates the first tenant if there is none and tells of it in one line of JSON. */
export function seedRunner(program: string, environment: NodeJS.ProcessEnv, signal: AbortSignal) {
  return async (more: Record<string, string>): Promise<z.infer<typeof tenantSchema>> => {
    const env = {
      ...environment,
      SEED_TENANT_NAME: 'Example',
      SEED_OWNER_EMAIL: 'owner@example.com',
      SEED_OWNER_NAME: 'Owner',
      ...more,
    };
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [program], { env, signal });
      return tenantSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
    } catch (error) {
      signal.throwIfAborted();
      const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
      throw new CannotStart(
        `The first tenant could not be created: ${said.split('\n').at(-1) || String(error)}`,
      );
    }
  };
}

/** Whether the tenant can be read with its key, within `patienceMs`. */
async function keyWorks(
  baseUrl: string,
  tenant: FirstTenant,
  patienceMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const status = await tenantStatus(baseUrl, tenant);
    if (status === 200) return true;
    if (status === 403 || status === 404 || Date.now() > deadline) return false;
    await delay(50, undefined, { signal });
  }
}

async function tenantStatus(baseUrl: string, { tenant_id, api_key }: FirstTenant): Promise<number> {
  try {
    const answer = await fetch(`${baseUrl}/tenants/${tenant_id}`, {
      headers: { 'svc-api-key': api_key },
      signal: AbortSignal.timeout(5_000),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}
