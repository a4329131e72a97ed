import { getTenantContext, listLimits, listMetrics, SluiceError, type SluiceClient } from '@sluice/client';
import type { Secrets } from '../document/secrets.ts';
import type { WantedSet } from '../document/wanted.ts';
import type { Existing, Organization } from '../entries.ts';
import { InvalidDocument } from '../invalid-document.ts';
import { compare, type CompareOptions } from './compare.ts';
import { passedLimits } from './limits.ts';
import { unknownPermissions } from './known-permissions.ts';
import { missingPermissions, type PermissionOf } from './permissions.ts';
import { priceOf } from './price.ts';
import { prune } from './prune.ts';
import type { Plan } from './types.ts';
import { withOpenValues } from './values.ts';

export interface PlanOptions extends CompareOptions {
  prune: boolean;
  /** what may be pruned although it is protected or stores messages */
  named: readonly string[];
}

interface Planned {
  client: SluiceClient;
  signal: AbortSignal;
  organization: Organization;
  secrets: Secrets;
  /** without it the server is the first to refuse what the caller may not do */
  permissionOf?: PermissionOf | undefined;
}

/** Finds out what is to be done, what it costs, and what keeps it from being done. Nothing is changed. */
export async function planOf(
  { set, entries: wanted }: WantedSet,
  { client, signal, organization, secrets, permissionOf }: Planned,
  options: PlanOptions,
): Promise<Plan> {
  const { tenantId: tenant_id, tenantName: tenant, ids } = organization;
  const { existing, ...compared } = compare(wanted, organization, set, options);
  const { steps, ...checked } = await withOpenValues(compared.steps, {
    client,
    signal,
    ids,
    wanted,
    secrets,
  });
  const obstacles = [...compared.obstacles, ...checked.obstacles];
  const notes: string[] = [];
  if (options.prune) {
    if (set === undefined)
      throw new InvalidDocument(['What is pruned is of a set, and the document has none.']);
    const messagesIn = (found: Existing) => messagesStored(client, found, signal);
    const pruned = await prune(wanted, existing, { set, named: options.named, messagesIn });
    steps.push(...pruned.steps);
    notes.push(...pruned.notes);
  }
  const environments = ids
    .entries()
    .flatMap(([key]) => (key.startsWith('environment ') ? [key.slice(12)] : []));
  if (steps.length > 0) {
    const call = { client, signal, path: { tenant_id } };
    const [{ data: context }, { data: limits }] = await Promise.all([
      getTenantContext(call),
      listLimits(call),
    ]);
    if (permissionOf) obstacles.push(...missingPermissions(steps, context, ids, permissionOf));
    obstacles.push(...(await unknownPermissions(steps, wanted, call)));
    obstacles.push(...passedLimits(steps, { limits, existing, wanted, environments }));
  }
  const price = await priceOf(steps, { client, signal, organization, existing, wanted });
  const away = [...organization.away].map(([key, { detail }]) => ({
    place: key.slice('deployment '.length),
    reason: detail,
  }));
  obstacles.sort((a, b) => Number(b.reason === 'invalid') - Number(a.reason === 'invalid'));
  return { set, tenant, steps, obstacles, notes, away, price };
}

/** How many messages a deployment stored when that was last measured. */
async function messagesStored(
  client: SluiceClient,
  found: Existing,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const path = { deployment_id: found.id };
    const { data } = await listMetrics({ client, signal, path, query: { runtime: 'broker', results: 20 } });
    const counts = data.items.flatMap(({ metrics: { messages_stored: stored } }) =>
      stored ? [stored.max] : [],
    );
    return counts.length === 0 ? undefined : Math.max(...counts);
  } catch (error) {
    if (error instanceof SluiceError) return undefined;
    throw error;
  }
}
