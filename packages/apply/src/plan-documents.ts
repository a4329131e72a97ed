import type { SluiceClient } from '@sluice/client';
import type { Secrets } from './document/secrets.ts';
import type { WantedSet } from './document/wanted.ts';
import { kindsInRegion, type KindName, type Organization, type Wanted } from './entries.ts';
import { readOrganization, type Scope } from './organization/read.ts';
import type { PermissionOf } from './plan/permissions.ts';
import { planOf, type PlanOptions } from './plan/plan.ts';
import { renamesOf } from './plan/renames.ts';
import type { Plan } from './plan/types.ts';
import { execute, type Result } from './run/execute.ts';
import { createRun, type RunOptions } from './run/run.ts';

interface Planning {
  client: SluiceClient;
  tenantId: number;
  signal: AbortSignal;
  /** with which the documents were read */
  secrets: Secrets;
  permissionOf?: PermissionOf;
}

/** A plan with what it was made for. */
export interface Planned {
  plan: Plan;
  organization: Organization;
}

/**
 * Reads what the documents are about and finds out what is to be done. Nothing is changed.
 * @throws InvalidDocument where there is no set to prune
 */
export async function planDocuments(
  wanted: WantedSet,
  { client, tenantId, signal, secrets, permissionOf }: Planning,
  options: PlanOptions,
): Promise<Planned> {
  const scope = scopeOf(wanted, options);
  const organization = await readOrganization(client, tenantId, scope, signal);
  const plan = await planOf(wanted, { client, signal, organization, secrets, permissionOf }, options);
  return { organization, plan };
}

/** Carries a plan out that has no obstacle. @param report called with each step that ends. @returns what became of each step */
export const applyPlan = (
  { plan, organization }: Planned,
  client: SluiceClient,
  options: RunOptions,
  report: (result: Result) => void = () => {},
): Promise<Result[]> => execute(plan, createRun(client, organization, plan.set, options), report);

/** Reads all of an organization that a document can have. */
export const readAll = (client: SluiceClient, tenantId: number, signal: AbortSignal): Promise<Organization> =>
  readOrganization(client, tenantId, everything, signal);

const everything: Scope = {
  ...{ configuration: true, auditSink: true, roles: true, members: true, channels: true },
  place: () => true,
  inRegion: () => kindsInRegion,
  now: (place) => place,
};

function scopeOf({ entries }: WantedSet, { prune }: PlanOptions): Scope {
  const all = [...entries.values()];
  const has = (...kinds: Wanted['kind'][]) => all.some(({ kind }) => kinds.includes(kind));
  const places = new Set(all.map(({ place }) => place));
  const inRegion = new Map<string, Set<KindName>>();
  for (const { kind, parent } of all.filter((one) => kindsInRegion.has(one.kind)))
    inRegion.set(parent ?? '', (inRegion.get(parent ?? '') ?? new Set()).add(kind));
  return {
    configuration: has('tenant configuration'),
    auditSink: has('audit sink'),
    roles: has('role'),
    members: has('member'),
    channels: prune || has('channel'),
    place: (place) => prune || places.has(place),
    inRegion: (place) => (prune ? kindsInRegion : (inRegion.get(`deployment ${place}`) ?? new Set())),
    now: renamesOf(entries),
  };
}
