import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { usageGroups, usageSpans } from '../pages/billing/usage.ts';
import { defined, oneOf, text } from './search.ts';
import { tenantRoute } from './tenant.ts';

/** What the tenant pays. Its parts are the routes below it. */
const billingRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'billing',
  component: lazyRouteComponent(() => import('../pages/billing/billing-page.tsx'), 'BillingPage'),
});

const usage = createRoute({
  getParentRoute: () => billingRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      span: oneOf(search, 'span', usageSpans),
      group: oneOf(search, 'group', usageGroups),
      label: text(search, 'label')?.slice(0, 63),
    }),
  component: lazyRouteComponent(() => import('../pages/billing/usage-tab.tsx'), 'UsageTab'),
});

const budgets = createRoute({
  getParentRoute: () => billingRoute,
  path: 'budgets',
  component: lazyRouteComponent(() => import('../pages/billing/budgets-tab.tsx'), 'BudgetsTab'),
});

const invoices = createRoute({
  getParentRoute: () => billingRoute,
  path: 'invoices',
  component: lazyRouteComponent(() => import('../pages/billing/invoices-tab.tsx'), 'InvoicesTab'),
});

const invoice = createRoute({
  getParentRoute: () => billingRoute,
  path: 'invoices/$invoiceId',
  params: {
    parse: ({ invoiceId }) => ({ invoiceId: Number(invoiceId) }),
    stringify: ({ invoiceId }) => ({ invoiceId: String(invoiceId) }),
  },
  component: lazyRouteComponent(() => import('../pages/billing/invoice-tab.tsx'), 'InvoiceTab'),
});

const payment = createRoute({
  getParentRoute: () => billingRoute,
  path: 'payment',
  component: lazyRouteComponent(() => import('../pages/billing/payment-tab.tsx'), 'PaymentTab'),
});

export const billingRoutes = billingRoute.addChildren([usage, budgets, invoices, invoice, payment]);
