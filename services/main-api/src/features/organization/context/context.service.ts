import { type DivisionId, type Ref, type TenantId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { problem } from '@sluice/service';
import type { Core } from '../../../core.ts';
import { findDivisionNames } from '@sluice/main-store/divisions.store';
import { findTerms, getTerms, type TenantPath } from '@sluice/main-store/tenants.store';
import { describePermissions } from '../../access/roles/permissions-detail.ts';
import { regionName } from '@sluice/catalogue/region-name';
import { listRegions } from '../../regions/regions.store.ts';

/** Where the APIs of an installation are, and which release this one is. */
export interface Installation {
  release: string;
  api_url: string;
  audit_url: string | null;
  console_url: string | null;
  /** without a report of so many seconds a region is silent */
  regionReportSeconds: number;
}

export type ContextService = ReturnType<typeof contextService>;

/** What a client asks first: who it is, what it may do, and where the other APIs are (interface, 4.1 rule 6). */
export function contextService(
  { database, catalogue, now }: Pick<Core, 'database' | 'catalogue' | 'now'>,
  { regionReportSeconds, ...installation }: Installation,
) {
  const divisionOf = async ({ tenantId, divisionId }: Caller): Promise<Ref<DivisionId> | null> => {
    if (divisionId === null) return null;
    const name = (await findDivisionNames(database, tenantId, [divisionId])).get(divisionId);
    return name === undefined ? null : { id: divisionId, name };
  };

  const tenantOf = async ({ tenantId, apiKey }: Caller): Promise<Ref<TenantId> | null> => {
    if (!apiKey) return null;
    const [tenant] = await findTerms(database, [tenantId]);
    // its keys are about to end with it
    if (!tenant) throw problem('unauthenticated');
    return { id: tenant.id, name: tenant.name };
  };

  const regions = async () => {
    const silentSince = new Date(now().getTime() - regionReportSeconds * 1_000);
    return (await listRegions(database)).map(({ registered_at, ...row }) => {
      const name = regionName(catalogue, row.cloud, row.region);
      const health = registered_at < silentSince ? ('silent' as const) : ('reporting' as const);
      return { ...row, name, health, reported_at: registered_at };
    });
  };

  return {
    async get(caller: Caller) {
      const { user, apiKey: api_key, expiresAt: expires_at } = caller;
      const [tenant, division] = [await tenantOf(caller), await divisionOf(caller)];
      return { user, tenant, division, api_key, expires_at, ...installation, regions: await regions() };
    },

    async inTenant(caller: Caller, { tenant_id }: TenantPath) {
      const { id, name, plan } = await getTerms(database, tenant_id);
      return {
        tenant: { id, name },
        division: await divisionOf(caller),
        owner: caller.owner,
        plan,
        permissions: await describePermissions(database, tenant_id, caller.permissions, caller),
      };
    },
  };
}
