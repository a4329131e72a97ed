import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import {
  mostMonthlyCents,
  pricedCatalogueSchema,
  priceTermsOf,
  priceTermsSchema,
  type Cloud,
  type PriceTerms,
} from '@sluice/contracts';
import type { Sql } from '@sluice/service';
import { parse } from 'yaml';
import { conflict, notFound, usageError } from '@sluice/terminal/errors';
import { untilDone } from './until-done.ts';

/** Price lists in main-api's database. A list that is published is in force from its time on; main-api sends and records it. */

/** as the database demands; so that each replica and region has a list before it is valid */
const leastMinutes = 10;

/** What differs between two lists at one place. */
export interface Difference {
  price: string;
  /** undefined: there is none */
  before: string | undefined;
  after: string | undefined;
}

/** The number of the list that is valid, and what differs in that of a file. @param tenant undefined: the list of all tenants */
export async function diffPrices(
  sql: Sql,
  file: string,
  tenant: number | undefined,
): Promise<{ valid: number; differences: Difference[] }> {
  await requireTenant(sql, tenant ?? null);
  const valid = await listAt(sql, tenant ?? null, new Date());
  return { valid: valid.number, differences: differences(valid.terms, await termsIn(file)) };
}

export interface PriceChange {
  /** a catalogue file, or `-` for stdin; or else `list` */
  file?: string;
  /** the number of a list, or that of all tenants */
  list?: number | 'general';
  from: Date;
  /** undefined: for all tenants without a list of their own */
  tenant?: number;
}

/**
 * Publishes a list of a file, or assigns one that exists, from a time on: for all tenants, or one.
 * @throws CliError when it cannot be done, saying why
 */
export async function publishPrices(
  sql: Sql,
  { file, list, from, tenant }: PriceChange,
  isDry: boolean,
): Promise<{ done: string; differences: Difference[] }> {
  if (from.getTime() < Date.now() + leastMinutes * 60_000)
    throw usageError(`--from is at least ${leastMinutes} minutes ahead.`);
  if ((file === undefined) === (list === undefined))
    throw usageError(
      'Say which prices: --file catalogue.yaml, or --list with the number of a list, or general.',
    );
  if (list === 'general' && tenant === undefined) throw usageError('--list general belongs to --tenant.');
  const terms = file === undefined ? undefined : await termsIn(file);
  await sql.query('BEGIN');
  // one after the other: the number of a list is the next one
  await sql.query('LOCK TABLE price_lists IN SHARE ROW EXCLUSIVE MODE');
  await requireTenant(sql, tenant ?? null);
  const valid = await listAt(sql, tenant ?? null, from);
  const number = list === 'general' ? null : (list ?? (await nextNumber(sql)));
  const published = await termsOf(sql, number, terms, from);
  await requireAllPriced(sql, published, tenant);
  await requireNoneTooDear(sql, published, tenant);
  if (isDry) await sql.query('ROLLBACK');
  else {
    if (terms)
      await sql.query('INSERT INTO price_lists (number, terms) VALUES ($1, $2)', [
        number,
        JSON.stringify(terms),
      ]);
    await sql.query('INSERT INTO price_list_assignments (tenant_id, list, valid_from) VALUES ($1, $2, $3)', [
      tenant ?? null,
      number,
      from,
    ]);
    await sql.query("SELECT pg_notify('price_lists', '')");
    await sql.query('COMMIT');
  }
  const whose = tenant === undefined ? 'for all tenants without a list of their own' : `for tenant ${tenant}`;
  const name = number === null ? 'The list of all tenants' : `List ${number}`;
  const found = differences(valid.terms, published);
  const done = [
    `${name} ${isDry ? 'would be' : 'is'} valid from ${from.toISOString()} on, ${whose}.`,
    found.length === 0 ? `It says what list ${valid.number} says.` : `Against list ${valid.number}:`,
    ...(isDry || (await isRecorded(sql))
      ? []
      : ['main-api has not announced it yet; it does so when it runs.']),
  ].join('\n');
  return { done, differences: found };
}

/** What runs would cost nothing. */
async function requireAllPriced(sql: Sql, { tiers }: PriceTerms, tenant: number | undefined): Promise<void> {
  const used = await sql.query<{ tier: keyof typeof tiers; cloud: Cloud }>(
    `SELECT DISTINCT tier, cloud FROM deployments WHERE tier <> 'free' AND ($1::bigint IS NULL OR tenant_id = $1)`,
    [tenant ?? null],
  );
  const missing = used.filter(({ tier, cloud }) => tiers[tier]?.hourly_usd?.[cloud] === undefined);
  if (missing.length === 0) return;
  const names = missing.map(({ tier, cloud }) => `${tier} in ${cloud}`);
  throw conflict(`The list has no price of what deployments have: ${names.join(', ')}.`);
}

/** Regions refuse a deployment that costs more: its list would never become valid there. */
async function requireNoneTooDear(sql: Sql, terms: PriceTerms, tenant: number | undefined): Promise<void> {
  const most = mostMonthlyCents / 100;
  const [dearest] = await sql.query<{ id: number; price: string; total: string }>(
    `SELECT id, price, total FROM (
       SELECT d.id, price, cost, round(sum(cost) OVER (PARTITION BY d.id), 2) AS total
       FROM deployments d
       CROSS JOIN LATERAL (SELECT count(*) AS nodes FROM deployment_nodes n WHERE n.deployment_id = d.id) n
       CROSS JOIN LATERAL (SELECT $1::jsonb -> 'prices' AS prices, $1::jsonb -> 'tiers' -> tier AS of_tier) t
       CROSS JOIN LATERAL (SELECT coalesce(storage_size, (of_tier ->> 'storage_size')::int) AS size,
         coalesce(target_network_tput, (of_tier ->> 'target_network_tput')::int) AS tput) s
       CROSS JOIN LATERAL (VALUES
         (format('tiers.%s.hourly_usd.%s', tier, cloud), (of_tier -> 'hourly_usd' ->> cloud)::numeric * nodes * 730),
         ('prices.storage_gb.' || storage_type, (prices -> 'storage_gb' ->> storage_type)::numeric * size * nodes),
         ('prices.network_gb', (prices ->> 'network_gb')::numeric * tput * 2.628
           * CASE availability_mode WHEN 'multi_az' THEN (prices ->> 'multi_az_network')::numeric ELSE 1 END),
         ('prices.telemetry_day', (prices ->> 'telemetry_day')::numeric
           * greatest(0, telemetry_days - ($1::jsonb ->> 'telemetry_days')::int)),
         ('prices.data_retention_gb', (prices ->> 'data_retention_gb')::numeric * size)) AS part (price, cost)
       WHERE tier <> 'free' AND ($2::bigint IS NULL OR tenant_id = $2)) costs
     WHERE total > $3 ORDER BY total DESC, cost DESC LIMIT 1`,
    [JSON.stringify(terms), tenant ?? null, most],
  );
  if (!dearest) return;
  const { id, price, total } = dearest;
  throw conflict(
    `With ${price}, deployment ${id} would cost $${total} a month; a deployment costs $${most} at most.`,
  );
}

async function requireTenant(sql: Sql, tenant: number | null): Promise<void> {
  if (tenant === null) return;
  const [found] = await sql.query('SELECT FROM tenants WHERE id = $1', [tenant]);
  if (!found) throw notFound(`There is no tenant ${tenant}.`);
}

async function nextNumber(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ next: number }>('SELECT max(number) + 1 AS next FROM price_lists');
  return row?.next ?? 1;
}

async function termsOf(
  sql: Sql,
  number: number | null,
  terms: PriceTerms | undefined,
  at: Date,
): Promise<PriceTerms> {
  if (terms) return terms;
  if (number === null) return (await listAt(sql, null, at)).terms;
  const [row] = await sql.query<{ terms: unknown }>('SELECT terms FROM price_lists WHERE number = $1', [
    number,
  ]);
  if (!row) throw notFound(`There is no list ${number}.`);
  return priceTermsSchema.parse(row.terms);
}

interface StoredList {
  number: number;
  terms: PriceTerms;
}

/** The list that is valid for a tenant, or in general, at a time. */
async function listAt(sql: Sql, tenant: number | null, at: Date): Promise<StoredList> {
  const [row] = await sql.query<{ number: number; terms: unknown }>(
    `SELECT number, terms FROM price_lists WHERE number = coalesce(
       (SELECT list FROM price_list_assignments WHERE tenant_id = $1 AND valid_from <= $2
        ORDER BY valid_from DESC, id DESC LIMIT 1),
       (SELECT list FROM price_list_assignments WHERE tenant_id IS NULL AND valid_from <= $2
        ORDER BY valid_from DESC, id DESC LIMIT 1))`,
    [tenant, at],
  );
  if (!row) throw conflict('There is no price list yet: main-api makes the first one when it starts.');
  return { number: row.number, terms: priceTermsSchema.parse(row.terms) };
}

/** The prices that a catalogue file says. @throws CliError which names what is wrong with it */
async function termsIn(file: string): Promise<PriceTerms> {
  const content = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch(
    (error: unknown) => {
      throw usageError(`The file cannot be read: ${String(error)}`);
    },
  );
  const { data, error } = pricedCatalogueSchema.safeParse(yamlOf(content));
  if (data) return priceTermsOf(data);
  const issues = error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw usageError(`The file has no usable prices:\n${issues.join('\n')}`);
}

function yamlOf(content: string): unknown {
  try {
    return parse(content);
  } catch (error) {
    throw usageError(`The file is no YAML: ${String(error)}`);
  }
}

/** What differs: the place, and both values. */
function differences(one: unknown, other: unknown, path: readonly string[] = []): Difference[] {
  if (isDeepStrictEqual(one, other)) return [];
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
  if (!isObject(one) && !isObject(other))
    return [{ price: path.join('.'), before: shown(one), after: shown(other) }];
  const [before, after] = [one, other].map((value) => new Map(Object.entries(isObject(value) ? value : {})));
  const names = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  return [...names].flatMap((name) => differences(before?.get(name), after?.get(name), [...path, name]));
}

const shown = (value: unknown) =>
  value === undefined ? undefined : `${value as string | number | boolean | null}`;

const isRecorded = async (sql: Sql): Promise<boolean> =>
  (
    await untilDone(
      () => sql.query('SELECT FROM price_list_assignments WHERE NOT recorded'),
      (unrecorded) => unrecorded.length === 0,
    )
  ).length === 0;
