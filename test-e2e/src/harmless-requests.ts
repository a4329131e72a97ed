import { client, eventually } from '@sluice/testing';
import type { WalkedOperation } from './documents.ts';
import type { WalkedStack } from './walked-stack.ts';

/** How a request ended before its right was known to be there. */
export interface Refusal {
  status: number;
  code?: string;
  /** what the caller lacks */
  scope?: string;
  permission?: string;
}

/** an id that names nothing */
const nothing = 9_007_199_254_740_990;

/**
 * Asks for an operation so that who is authorized finds nothing to do: with an id that names nothing, or a body that is refused later.
 * @returns undefined for a key that got past authorization, also when it was refused later
 */
export async function refusalOf(
  walked: Pick<WalkedStack, 'existing' | 'deploymentId' | 'stack'>,
  url: string,
  operation: WalkedOperation,
  key: string,
): Promise<Refusal | undefined> {
  const path = harmlessPath(walked, operation);
  const body = operation.body === undefined ? undefined : { no_such_field: 1 };
  const { status, body: given } = await eventually(async () => {
    const answer = await client(url, key).request<Omit<Refusal, 'status'>>(operation.method, path, body);
    // on a busy machine a service may lose the lease on its grants, and says so
    if (answer.status >= 500)
      throw new Error(`${operation.name}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  });
  if (status === 401) throw new Error(`${operation.name}: the key is not known`);
  const refused = { ...given, status };
  if (status === 404 && isOfRegion(operation)) return (await knows(walked, key)) ? undefined : refused;
  // what the plan does not have is refused to keys that may
  return status === 403 && given.code !== 'feature_not_available' ? refused : undefined;
}

const isOfRegion = ({ path }: WalkedOperation) => path.startsWith('/deployments/');

function harmlessPath(
  { existing, deploymentId }: Pick<WalkedStack, 'existing' | 'deploymentId'>,
  operation: WalkedOperation,
): string {
  const known: Record<string, number | string> = {
    ...existing,
    // the supervisor has to find the deployment to know where it is; the Main API must not, or it would be deleted
    deployment_id: isOfRegion(operation) ? deploymentId : nothing,
  };
  // the last id of an operation that changes something names nothing, unless its body is refused anyway
  const last = operation.pathParameters.at(-1) ?? '';
  const changes = operation.method !== 'GET' && operation.body === undefined;
  if (changes && operation.path.endsWith(`{${last}}`) && last !== 'tenant_id') {
    if (!isOfRegion(operation) || last !== 'deployment_id') known[last] = nothing;
  }
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(known[name] ?? nothing));
}

/** Whether a key may know that the deployment exists: to any other it is one that does not. */
async function knows(
  { stack, deploymentId }: Pick<WalkedStack, 'deploymentId' | 'stack'>,
  key: string,
): Promise<boolean> {
  const region = client(stack.supervisors[0]?.url ?? '', key);
  return (await region.get(`/deployments/${deploymentId}`)).status !== 404;
}

let keys = 0;

/** Calls `use` with the token of a key that exists meanwhile. @param below where the key is bound to: a division's path */
export async function withKey(
  { main, tenant_id }: WalkedStack['stack'],
  input: object,
  use: (token: string) => Promise<void>,
  below = '',
): Promise<void> {
  const path = `/tenants/${tenant_id}${below}/api_keys`;
  const expiry_at = new Date(Date.now() + 3_600_000).toISOString();
  const { status, body } = await main.post<{ id: number; token: string }>(path, {
    name: `key ${++keys}`,
    expiry_at,
    ...input,
  });
  expect([input, status]).toEqual([input, 201]);
  try {
    await use(body.token);
  } finally {
    expect((await main.delete(`${path}/${body.id}`)).status).toBe(204);
  }
}
