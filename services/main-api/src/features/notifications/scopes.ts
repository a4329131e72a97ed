import {
  scopeLevels,
  seesDivision,
  seesEnvironment,
  type DivisionId,
  type EnvironmentId,
  type Ref,
  type ScopeLevel,
  type TenantId,
} from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { fieldProblem } from '@sluice/service';
import type { Database } from '@sluice/main-store/database';
import { findScopes, type ScopeRow } from './scopes.store.ts';
import type { OwnerPath } from './channel-owner.ts';
import type { ChannelSubscriptionRow, SubscriptionScopes } from './channel-subscriptions.store.ts';

/** What a subscription names, as a body says it. */
type ScopeInput = { [Level in (typeof fields)[ScopeLevel]]?: number[] | null | undefined };

const fields = {
  tenants: 'scope_tenant_ids',
  divisions: 'scope_division_ids',
  environments: 'scope_environment_ids',
  deployments: 'scope_deployment_ids',
} as const satisfies Record<ScopeLevel, string>;

const byLevel = <Value>(of: (level: ScopeLevel) => Value) =>
  Object.fromEntries(scopeLevels.map((level) => [level, of(level)])) as Record<ScopeLevel, Value>;

/**
 * What a subscription names, with its names: things of the tenant, or of the division that owns the channel, that the caller
 * sees. @throws Problem `invalid_request`, naming the first id that is none of these
 */
export async function scopesOf(
  db: Database,
  caller: Caller,
  { tenant_id, division_id }: OwnerPath,
  input: ScopeInput,
  place: string,
): Promise<SubscriptionScopes> {
  const idsOf = (level: ScopeLevel) => [...new Set(input[fields[level]] ?? [])];
  const found = await findScopes(db, tenant_id, byLevel(idsOf));
  const usable = found.filter(
    (row) =>
      (division_id === undefined || row.level === 'tenants' || row.division_id === division_id) &&
      isVisible(caller, row),
  );
  const refsOf = (level: ScopeLevel) =>
    idsOf(level).map((id): Ref => {
      const row = usable.find((candidate) => candidate.level === level && candidate.id === id);
      if (row) return { id, name: row.name };
      const position = input[fields[level]]?.indexOf(id) ?? 0;
      throw fieldProblem(`${place}${fields[level]}/${position}`, 'not_found', 'does not exist here');
    });
  return byLevel(refsOf) as SubscriptionScopes;
}

/** Subscriptions with the names that things have now; what is gone keeps the one that it had. */
export async function withNames(
  db: Database,
  tenantId: TenantId,
  subscriptions: readonly ChannelSubscriptionRow[],
): Promise<ChannelSubscriptionRow[]> {
  const idsOf = (level: ScopeLevel) => [
    ...new Set(subscriptions.flatMap(({ scopes }) => scopes[level].map((ref): number => ref.id))),
  ];
  const found = await findScopes(db, tenantId, byLevel(idsOf));
  const names = new Map(found.map(({ level, id, name }) => [`${level} ${id}`, name]));
  return subscriptions.map(({ scopes, ...subscription }) => ({
    ...subscription,
    scopes: byLevel((level) =>
      scopes[level].map((ref) => ({ ...ref, name: names.get(`${level} ${ref.id}`) ?? ref.name })),
    ) as SubscriptionScopes,
  }));
}

function isVisible({ permissions }: Caller, { level, division_id, environment_id }: ScopeRow): boolean {
  switch (level) {
    case 'tenants':
      return true;
    case 'divisions':
      return seesDivision(permissions, division_id as DivisionId);
    default:
      return seesEnvironment(permissions, division_id as DivisionId, environment_id as EnvironmentId);
  }
}
