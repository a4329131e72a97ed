import type { TenantId } from '@sluice/contracts';
import { IsNull, MoreThan } from 'typeorm';
import type { Card } from '@sluice/payments/payment-provider';
import type { Database } from './database.ts';
import { bigint, integer, nullable, table, text, time, type RowOf } from './columns.ts';
import { changeRows, takeRows } from './rows.ts';

const PaymentMethod = table('payment_methods', {
  tenant_id: bigint<TenantId>({ primary: true }),
  kind: text<'card' | 'invoice'>(),
  /** null: until it is taken back */
  valid_to: nullable(time()),
  /** of a card, at the provider */
  provider: nullable(text()),
  customer: nullable(text()),
  reference: nullable(text()),
  brand: nullable(text()),
  last4: nullable(text()),
  exp_month: nullable(integer()),
  exp_year: nullable(integer()),
  /** of an agreement */
  term_days: nullable(integer()),
  created_at: time({ createDate: true }),
});
export type PaymentMethodRow = RowOf<typeof PaymentMethod>;

/** The payment method of a tenant, valid or not. */
export const findPaymentMethod = (db: Database, tenant_id: TenantId) =>
  db.manager.findOneBy(PaymentMethod, { tenant_id });

/** Whether a tenant has a payment method that is valid at `now`. */
export const validPaymentMethodExists = (db: Database, tenant_id: TenantId, now: Date) =>
  db.manager.existsBy(PaymentMethod, [
    { tenant_id, valid_to: IsNull() },
    { tenant_id, valid_to: MoreThan(now) },
  ]);

export const putCard = (db: Database, tenant_id: TenantId, provider: string, card: Card) =>
  db.manager.upsert(
    PaymentMethod,
    { tenant_id, kind: 'card', provider, ...card, valid_to: endOf(card), term_days: null },
    ['tenant_id'],
  );

/** What the provider says of a card now. @returns the rows that have it */
export const updateCard = (db: Database, provider: string, { reference, ...card }: Card) =>
  changeRows(db, PaymentMethod, { provider, reference }, { ...card, valid_to: endOf(card) });

/** Ends a card that the provider does not charge any more. */
export const endCard = (db: Database, provider: string, reference: string, valid_to: Date) =>
  changeRows(db, PaymentMethod, { provider, reference }, { valid_to });

export const findCardOwner = (db: Database, provider: string, reference: string) =>
  db.manager.findOneBy(PaymentMethod, { provider, reference });

export const cardExists = (db: Database, provider: string, reference: string) =>
  db.manager.existsBy(PaymentMethod, { provider, reference });

export const takePaymentMethod = (db: Database, tenant_id: TenantId) =>
  takeRows(db, PaymentMethod, { tenant_id });

/** A card is valid to the end of its month. */
const endOf = ({ exp_month, exp_year }: Pick<Card, 'exp_month' | 'exp_year'>) =>
  new Date(Date.UTC(exp_year, exp_month));
