import { eventTypes, type TenantId } from '@sluice/contracts';
import { PermanentError } from '@sluice/messaging';
import { problem } from '@sluice/service';
import type { Database, Transaction } from '../../database/tables.ts';
import { findTenantFeatures, upsertTenantFeatures } from '../../stores/tenant-features.store.ts';

export type PlansService = ReturnType<typeof plansService>;

/** Of the event, whoever keeps it. */
interface PlanWord {
  tenant_id: TenantId;
  data: unknown;
}

const day = 24 * 60 * 60 * 1000;

/** What the plans of tenants allow of their audit logs, as main-api says whenever that changes. */
export function plansService({ database, now }: { database: Database; now: () => Date }) {
  return {
    /** @throws PermanentError for a word of it that cannot be read */
    async record({ db }: Transaction, { tenant_id, data }: PlanWord): Promise<void> {
      const said = eventTypes.tenant_features_updated.data.safeParse(data).data;
      if (!said) throw new PermanentError('it does not say what the plan allows');
      const { audit_retention_days, audit_export_enabled } = said.features;
      const { version } = said;
      await upsertTenantFeatures(db, { tenant_id, version, audit_retention_days, audit_export_enabled });
    },

    mayExport: (tenantId: TenantId) => mayExport(database, tenantId),

    /** From when on the tenant's entries are shown; undefined while its plan is not known. */
    async shownFrom(tenantId: TenantId): Promise<Date | undefined> {
      const features = await findTenantFeatures(database, tenantId);
      return features && new Date(now().getTime() - features.audit_retention_days * day);
    },

    /** @throws Problem `feature_not_available` where a log may not leave Sluice as a whole */
    async requireExport(db: Database, tenantId: TenantId): Promise<void> {
      if (await mayExport(db, tenantId)) return;
      throw problem('feature_not_available', {
        detail: "The tenant's plan does not have audit_export_enabled.",
        extensions: { feature: 'audit_export_enabled' },
      });
    },
  };
}

async function mayExport(db: Database, tenantId: TenantId): Promise<boolean> {
  return (await findTenantFeatures(db, tenantId))?.audit_export_enabled === true;
}
