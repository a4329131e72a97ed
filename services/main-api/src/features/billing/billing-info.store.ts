import type { TenantId } from '@sluice/contracts';
import type { Database } from '@sluice/main-store/database';
import { bigint, nullable, table, text, time, type RowOf } from '@sluice/main-store/columns';

const line = () => nullable(text());

const BillingInfo = table('billing_infos', {
  tenant_id: bigint<TenantId>({ primary: true }),
  name: line(),
  company: line(),
  address: line(),
  city: line(),
  state: line(),
  postal_code: line(),
  country: line(),
  tax_id: line(),
  email: line(),
  phone: line(),
  updated_at: time({ updateDate: true }),
});

export const billingFields = [
  ...(['name', 'company', 'address', 'city', 'state'] as const),
  ...(['postal_code', 'country', 'tax_id', 'email', 'phone'] as const),
];
/** Whom the invoices of a tenant are made out to (completions, "Billing"). */
export type BillingInfo = Pick<RowOf<typeof BillingInfo>, (typeof billingFields)[number]>;

/** All fields are null until they are set. */
export async function getBillingInfo(db: Database, tenant_id: TenantId): Promise<BillingInfo> {
  const row = await db.manager.findOneBy(BillingInfo, { tenant_id });
  return Object.fromEntries(
    billingFields.map((field) => [field, row?.[field] ?? null]),
  ) as unknown as BillingInfo;
}

export const putBillingInfo = (db: Database, tenant_id: TenantId, info: BillingInfo) =>
  db.manager.upsert(BillingInfo, { tenant_id, ...info }, ['tenant_id']);

/**
 * Removes whom invoices of deleted tenants are made out to, where none is to come any more: all usage is invoiced, or too little for an invoice, and
 * none is of months since `before`, of which regions may still report some.
 */
export const pruneBillingInfos = (db: Database, before: Date) =>
  db.query(
    `DELETE FROM billing_infos i WHERE NOT EXISTS (SELECT FROM tenants t WHERE t.id = i.tenant_id)
       AND NOT EXISTS (SELECT FROM billed_deployments b JOIN usage_months m ON m.billed_id = b.id
                       WHERE b.tenant_id = i.tenant_id AND (m.open AND NOT m.carried OR m.month >= $1))`,
    [before],
  );

/** Keeps whom the invoices of a tenant that is deleted are made out to, if one is still to come. */
export const keepBillingInfo = (tx: Database, tenant_id: TenantId) =>
  tx.query(
    `INSERT INTO billing_infos AS i (tenant_id, name, email)
     SELECT id, name, email FROM tenants t
     WHERE id = $1 AND EXISTS (SELECT FROM billed_deployments b WHERE b.tenant_id = t.id)
     ON CONFLICT (tenant_id) DO UPDATE SET email = coalesce(i.email, excluded.email),
       name = CASE WHEN i.company IS NULL THEN coalesce(i.name, excluded.name) ELSE i.name END`,
    [tenant_id],
  );
