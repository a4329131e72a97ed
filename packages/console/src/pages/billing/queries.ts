import {
  getBudget,
  getCurrentCost,
  getInvoice,
  getPaymentMethod,
  getUsage,
  listBudgets,
  listInvoiceIntervals,
  listInvoiceLines,
  listInvoices,
  SluiceError,
} from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { readPages } from '@sluice/console-core/api/pages.ts';
import { queryClient, read } from '@sluice/console-core/api/query-client.ts';
import { usageQueryOf, type UsageSearch } from './usage.ts';

/** The change feed does not tell of what is used and billed. */
const refetchInterval = 60_000;
const key = (tenantId: number, ...rest: readonly unknown[]) => keyOf('main', tenantId, 'billing', ...rest);

/** Reads all of billing again, after a change. */
export const refreshBilling = (tenantId: number) =>
  queryClient.invalidateQueries({ queryKey: key(tenantId) });

export const currentCostQuery = (tenant_id: number) => ({
  ...read(key(tenant_id, 'current'), (signal) => getCurrentCost({ client, path: { tenant_id }, signal })),
  refetchInterval,
});

export const usageQuery = (tenant_id: number, search: UsageSearch) => ({
  ...read(key(tenant_id, 'usage', search), (signal) =>
    getUsage({ client, path: { tenant_id }, query: usageQueryOf(search, new Date()), signal }),
  ),
  refetchInterval,
});

export const budgetsQuery = (tenant_id: number) => ({
  ...read(key(tenant_id, 'budgets'), (signal) =>
    listBudgets({ client, path: { tenant_id }, query: { results: 100 }, signal }),
  ),
  refetchInterval,
});

export const budgetQuery = (tenant_id: number, budget_id: number) => ({
  ...read(key(tenant_id, 'budget', budget_id), (signal) =>
    getBudget({ client, path: { tenant_id, budget_id }, signal }),
  ),
  refetchInterval,
});

export const invoicesQuery = (tenant_id: number) =>
  readPages(key(tenant_id, 'invoices'), ({ query, signal }) =>
    listInvoices({ client, path: { tenant_id }, query, signal }),
  );

export const invoiceQuery = (tenant_id: number, invoice_id: number) => ({
  ...read(key(tenant_id, 'invoice', invoice_id), (signal) =>
    getInvoice({ client, path: { tenant_id, invoice_id }, signal }),
  ),
  refetchInterval,
});

export const invoiceLinesQuery = (tenant_id: number, invoice_id: number) =>
  readPages(key(tenant_id, 'invoice_lines', invoice_id), ({ query, signal }) =>
    listInvoiceLines({ client, path: { tenant_id, invoice_id }, query, signal }),
  );

export const intervalsQuery = (tenant_id: number, invoice_id: number, line_id: number) =>
  readPages(key(tenant_id, 'invoice_intervals', invoice_id, line_id), ({ query, signal }) =>
    listInvoiceIntervals({ client, path: { tenant_id, invoice_id, line_id }, query, signal }),
  );

/** Null where the tenant has none. */
export const paymentMethodQuery = (tenant_id: number) => ({
  ...read(key(tenant_id, 'payment_method'), async (signal) => {
    try {
      return await getPaymentMethod({ client, path: { tenant_id }, signal });
    } catch (error) {
      if (error instanceof SluiceError && error.status === 404) return { data: null };
      throw error;
    }
  }),
  // who has been on the provider's page comes back to this one
  refetchInterval: 15_000,
});

/** Where the PDF of an invoice is. */
export const pdfAddress = (tenantId: number, invoiceId: number) =>
  `/api/main/tenants/${tenantId}/billing/invoices/${invoiceId}/pdf`;
