import { idOf, type DeploymentId, type ReportData } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import type { MainApi } from './main-api.ts';
import type { Region } from './region.ts';
import type { TestTenant } from './tenants.ts';

export const seller = {
  name: 'Sluice GmbH',
  address: ['Torstraße 1', '10119 Berlin'],
  country: 'DE',
  tax_id: 'DE123456789',
};
export const invoiceSettings = {
  BILLING_SELLER: JSON.stringify(seller),
  BILLING_VAT_RATES: JSON.stringify({ DE: 19, FR: 20 }),
  BILLING_TERM_DAYS: '14',
};

export const at = (text: string) => `2026-${text}Z`;
/** a cent a second for storage, two for compute: 730 hours have 2,628,000 seconds */
export const price = { compute: 5_256_000, storage: 2_628_000, network: 0, telemetry: 0, data_retention: 0 };

/** Has tenants use something, and months closed. */
export function invoicing(on: MainApi, region: Region) {
  return {
    /** A deployment that has run, as its region reports it. */
    aDeployment: async (tenant: TestTenant) => {
      const created = await tenant.starter();
      const id = idOf<DeploymentId>(created.headers.get('svc-deployment') ?? '');
      const { deployment } = await region.shape(id);
      const { uid, storage } = deployment;
      const used = (from: string, to: string, more: Partial<ReportData<'usage'>> = {}) =>
        region.report('usage', {
          ...{ deployment_id: id, uid, from: at(from), to: at(to), price, tier: 'small', nodes: 1, storage },
          ...more,
        });
      return { id, uid, used };
    },

    /** All usage until this time is reported. */
    reported: (time: string) => region.register({ usage_to: at(time) }),

    /** Resolves when a replica has issued what is due, and carried out this request: by default one for nothing. */
    close: async (month = '2000-01-01T00:00:00Z', dryRun = true): Promise<unknown> => {
      const [request] = await on.sql<{ id: number }>(
        'INSERT INTO closing_requests (month, dry_run) VALUES ($1, $2) RETURNING id',
        [month, dryRun],
      );
      await on.sql("SELECT pg_notify('closing_requests', '')");
      return await eventually(async () => {
        const [found] = await on.sql<{ result: unknown }>(
          'SELECT result FROM closing_requests WHERE id = $1 AND done_at IS NOT NULL',
          [request?.id],
        );
        if (!found) throw new Error('not closed yet');
        return found.result;
      });
    },
  };
}
