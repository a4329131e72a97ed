import type { TenantId } from '@sluice/contracts';
import { IsNull } from 'typeorm';
import type { Database } from '@sluice/main-store/database';
import { bigint, nullable, table, text, time, uuid, type RowOf } from '@sluice/main-store/columns';
import { insertRow } from '@sluice/main-store/rows';

const PaymentIntent = table('payment_intents', {
  id: uuid({ primary: true }),
  tenant_id: bigint<TenantId>(),
  provider: text(),
  /** the provider's name of the page; null until it has answered */
  reference: nullable(text()),
  expires_at: time(),
  ended_at: nullable(time()),
  created_at: time({ createDate: true }),
});
export type PaymentIntentRow = RowOf<typeof PaymentIntent>;

export const insertIntent = (
  db: Database,
  intent: Pick<PaymentIntentRow, 'id' | 'tenant_id' | 'provider' | 'expires_at'>,
) => insertRow(db, PaymentIntent, intent);

export const countOpenIntents = (db: Database, tenant_id: TenantId) =>
  db.manager.countBy(PaymentIntent, { tenant_id, ended_at: IsNull() });

export const findIntent = (db: Database, id: string) => db.manager.findOneBy(PaymentIntent, { id });

export const lockIntent = (db: Database, id: string) =>
  db.manager.findOne(PaymentIntent, { where: { id }, lock: { mode: 'pessimistic_write' } });

export const openIntent = (
  db: Database,
  id: string,
  page: Pick<PaymentIntentRow, 'reference' | 'expires_at'>,
) => db.manager.update(PaymentIntent, { id }, page);

export const endIntent = (db: Database, id: string, ended_at: Date) =>
  db.manager.update(PaymentIntent, { id }, { ended_at });
