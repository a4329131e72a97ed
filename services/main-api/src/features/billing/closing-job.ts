import { consoleLink, firstOfMonth, type TenantId } from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import { system, type Log } from '@sluice/service';
import { Gauge, type Registry } from '@prometheus-io/client';
import type { Core } from '../../core.ts';
import { inOwnTransaction } from '@sluice/main-store/database';
import { sendMail } from '../../mails/mails.ts';
import { findTenant } from '@sluice/main-store/tenants.store';
import { draftInvoice, issueInvoice, type Draft } from './closing.ts';
import type { InvoiceRow } from './invoices.store.ts';
import { daysAfter, monthName, monthsAfter } from '@sluice/billing/months';
import { listClosingRequests, setClosed, type ClosingRequestRow } from './operators.store.ts';
import type { InvoiceTerms } from '@sluice/billing/seller';
import { countUnclosed, listMonthsToInvoice, type MonthToInvoice } from './usage-months.store.ts';
import { listBehind } from './usage.store.ts';

/** days after the end of a month for which invoices wait for regions that are behind */
const patienceDays = 5;
/** invoices that a replica makes at a time: while one waits for the database, another computes */
const mostAtOnce = 3;
/** drafts, and tenants that failed, that the result of a request lists */
const mostShown = 1_000;

export type InvoicingCore = Pick<Core, 'work' | 'database' | 'now' | 'mailCipher' | 'consoleUrl'>;

interface Parts {
  metrics: Registry;
  log: Log;
}

/**
 * Issues the invoices of months that are over, once all regions of the tenant have reported them, or after five days. Each is one transaction, so that a
 * replica can end at any statement, and several can be at work. Then it carries out what operators have asked for by `sluice-admin billing close`.
 */
export function closingJob(core: InvoicingCore, terms: InvoiceTerms, { metrics, log }: Parts): Job {
  const unclosed = new Gauge({
    name: 'sluice_billing_unclosed_tenants',
    help: 'Tenants with usage of a month that is over for more than six days, without an invoice',
    registers: [metrics],
  });

  return {
    name: 'invoices',
    every: 300,
    async run(signal) {
      const { failed } = await closeDue(core, terms, log, signal);
      for (const request of await listClosingRequests(core.database)) {
        const result = await carryOut(core, terms, log, request, signal);
        // the next run, or another replica, begins with it again
        if (signal.aborted) return;
        await setClosed(core.database, request.id, result);
      }
      unclosed.set(await countUnclosed(core.database, daysAfter(core.now(), -patienceDays - 1)));
      if (failed.size > 0) throw new Error(`invoices of ${failed.size} tenants could not be issued`);
    },
  };
}

/** Which months are closed: that and those before; `isForced`: also where regions have not reported them. */
interface Until {
  month: Date;
  isForced: boolean;
}

interface Issued {
  issued: number;
  /** tenants whose invoices could not be issued */
  failed: Set<TenantId>;
}

/** Issues all invoices whose time has come. */
export const closeDue = (core: InvoicingCore, terms: InvoiceTerms, log: Log, signal?: AbortSignal) =>
  issueUntil(core, terms, log, { month: firstOfMonth(core.now(), -1), isForced: false }, signal);

/** Issues invoices, each month of a tenant after those before it. A tenant whose invoice fails waits; others do not. */
async function issueUntil(
  core: InvoicingCore,
  terms: InvoiceTerms,
  log: Log,
  { month, isForced }: Until,
  signal?: AbortSignal,
): Promise<Issued> {
  const outcome: Issued = { issued: 0, failed: new Set() };
  const issue = async (due: MonthToInvoice) => {
    const isPatient = !isForced && core.now() < daysAfter(monthsAfter(due.month, 1), patienceDays);
    const missing = await missingIn(core.database, due);
    if (missing.length > 0 && isPatient) return;
    if (await invoice(core, terms, { ...due, missing, isForced })) outcome.issued += 1;
  };
  const looked = new Map<TenantId, Date>();
  while (!signal?.aborted) {
    // once a month of a tenant is closed, its next one is listed
    const listed = await listMonthsToInvoice(core.database, month);
    const dues = listed.filter((due) => due.month.getTime() > (looked.get(due.tenant_id)?.getTime() ?? 0));
    if (dues.length === 0) break;
    for (const due of dues) looked.set(due.tenant_id, due.month);
    await eachAtOnce(dues, (due) => isolated(log, due, outcome.failed, () => issue(due)), signal);
  }
  if (outcome.issued > 0) log.info('invoices are issued', { count: outcome.issued });
  return outcome;
}

/** Some at a time, each once. */
async function eachAtOnce<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const left = items.values();
  const take = async () => {
    for (const item of left) {
      if (signal?.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: mostAtOnce }, take));
}

async function isolated(
  log: Log,
  due: MonthToInvoice,
  failed: Set<TenantId>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    failed.add(due.tenant_id);
    log.error('an invoice could not be issued', { ...due, error });
  }
}

/** What came of a request of an operator. */
async function carryOut(
  core: InvoicingCore,
  terms: InvoiceTerms,
  log: Log,
  { month, dry_run }: Pick<ClosingRequestRow, 'month' | 'dry_run'>,
  signal: AbortSignal,
): Promise<object> {
  if (month >= firstOfMonth(core.now())) return { refused: `${monthName(month)} is not over.` };
  if (dry_run) return await dryRun(core, terms, log, month, signal);
  const { issued, failed } = await issueUntil(core, terms, log, { month, isForced: true }, signal);
  log.warn('an operator has closed a month', { month, issued, failed: failed.size });
  return { invoices: issued, failed: shown(failed) };
}

const shown = (failed: ReadonlySet<TenantId>) => [...failed].slice(0, mostShown);

/** The regions that have not reported all of a tenant's month. */
const missingIn = async (database: Core['database'], { tenant_id, month }: MonthToInvoice) =>
  (await listBehind(database, tenant_id, monthsAfter(month, 1))).map(({ usage_to, ...region }) => ({
    ...region,
    usage_to: usage_to?.toISOString() ?? null,
  }));

export type DryRun = Pick<Draft, 'tenant_id' | 'month' | 'missing' | 'subtotal' | 'discount' | 'credit'> &
  Pick<Draft, 'tax' | 'total'>;

/** What closing a month would issue next: the invoices are made, and taken back. */
async function dryRun(
  { database }: InvoicingCore,
  terms: InvoiceTerms,
  log: Log,
  month: Date,
  signal: AbortSignal,
): Promise<object> {
  const drafts: DryRun[] = [];
  const failed = new Set<TenantId>();
  let count = 0;
  for (const due of await listMonthsToInvoice(database, month)) {
    if (signal.aborted) break;
    await isolated(log, due, failed, async () => {
      const missing = await missingIn(database, due);
      const draft = await undone(database, terms, { ...due, missing, wait: true });
      if (!draft) return;
      count += 1;
      const { tenant_id, subtotal, discount, credit, tax, total } = draft;
      if (drafts.length < mostShown)
        drafts.push({
          ...{ tenant_id, month: draft.month, missing },
          subtotal,
          discount,
          credit,
          tax,
          total,
        });
    });
  }
  return { invoices: count, drafts, failed: shown(failed) };
}

class Undone extends Error {
  readonly draft: Draft | undefined;
  constructor(draft: Draft | undefined) {
    super('taken back');
    this.draft = draft;
  }
}

async function undone(
  database: Core['database'],
  terms: InvoiceTerms,
  closing: Parameters<typeof draftInvoice>[2],
): Promise<Draft | undefined> {
  try {
    return await inOwnTransaction(database, async (tx) => {
      throw new Undone(await draftInvoice(tx, terms, closing));
    });
  } catch (error) {
    if (error instanceof Undone) return error.draft;
    throw error;
  }
}

async function invoice(
  { work, now, mailCipher, consoleUrl }: InvoicingCore,
  terms: InvoiceTerms,
  { isForced, ...closing }: MonthToInvoice & Pick<Draft, 'missing'> & Pick<Until, 'isForced'>,
): Promise<InvoiceRow | undefined> {
  return await work(system, async (tx) => {
    const draft = await draftInvoice(tx, terms, { ...closing, wait: isForced });
    if (!draft) return undefined;
    const issued = await issueInvoice(tx, terms, draft, now());
    const { id, tenant_id, reference, total, customer } = issued;
    const month = monthName(issued.month);
    const due_at = issued.due_at.toISOString();
    const tenant = await findTenant(tx, tenant_id);
    // the audit log of a tenant that is gone is closed
    if (tenant)
      tx.emit(
        'invoice_issued',
        { tenant_id },
        {
          invoice_id: id,
          reference,
          month,
          total_usd: total,
          due_at,
          ...(isForced && { closed_by: 'operator' }),
        },
      );
    const to = customer.email ?? tenant?.email;
    if (to !== undefined) {
      const content = {
        tenant: tenant?.name ?? customer.name ?? '',
        reference,
        month,
        total_usd: total,
        due_at,
        // a tenant that is gone has no page
        ...(tenant && { url: consoleLink(consoleUrl, 'invoice', { tenant: tenant_id, invoice: id }) }),
      };
      await sendMail(tx, mailCipher, 'invoice_issued', to, content, { tenant_id });
    }
    return issued;
  });
}
