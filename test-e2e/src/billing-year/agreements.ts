import { pricedCatalogueSchema, priceTermsOf } from '@sluice/contracts';
import type { Database } from '@sluice/main-store/database';
import { scaled, type NaivePrices } from './naive-prices.ts';
import type { Credit, Discount, Plan, PriceChange } from './plan.ts';

/** What operators do by `sluice-admin billing`: rows of main-api's database. */

/** @param file the catalogue's */
export async function insertPriceChange(
  database: Database,
  { lists }: Pick<Plan, 'lists'>,
  file: NaivePrices,
  { list, tenant, validFrom }: PriceChange,
): Promise<void> {
  const known = await database.query('SELECT FROM price_lists WHERE number = $1', [list]);
  const percents = list === null ? undefined : lists[list - 2];
  if (percents && known.length === 0)
    await database.query('INSERT INTO price_lists (number, terms) VALUES ($1, $2)', [
      list,
      JSON.stringify(priceTermsOf(pricedCatalogueSchema.parse(scaled(file, percents)))),
    ]);
  await database.query(
    'INSERT INTO price_list_assignments (tenant_id, list, valid_from) VALUES ($1, $2, $3)',
    [tenant === null ? null : tenant + 1, list, new Date(validFrom * 1000)],
  );
}

export const insertCredit = (database: Database, { tenant, cents, expiresAt }: Credit) =>
  database.query(
    `INSERT INTO credits (tenant_id, amount, expires_at, reason) VALUES ($1, $2::numeric / 100, to_timestamp($3), 'a plan')`,
    [tenant + 1, cents, expiresAt],
  );

export const insertDiscount = (database: Database, { tenant, percent, from, to }: Discount) =>
  database.query(
    `INSERT INTO discounts (tenant_id, percent, valid_from, valid_to, reason)
     VALUES ($1, $2::numeric / 100, to_timestamp($3), to_timestamp($4), 'a plan')`,
    [tenant + 1, percent, from, to],
  );
