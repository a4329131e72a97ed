import { getRouteApi, Outlet } from '@tanstack/react-router';
import { useBreadcrumb } from '@sluice/console-core/parts/breadcrumb.ts';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { tabClass, TabLinks } from '@sluice/ui/tabs.tsx';

const route = getRouteApi('/t/$tenantId/billing');
const exact = { exact: true, includeSearch: false };

/** What the tenant has used, what it may cost, its invoices and how they are paid. */
export function BillingPage() {
  const params = route.useParams();
  useBreadcrumb(['Billing'], 'billing');
  return (
    <Page title="Billing" about="Amounts are in US dollars, without tax where none is named.">
      <TabLinks label="Parts of billing">
        <Link to="/t/$tenantId/billing" params={params} className={tabClass} activeOptions={exact}>
          Usage
        </Link>
        <Link to="/t/$tenantId/billing/budgets" params={params} className={tabClass}>
          Budgets
        </Link>
        <Link to="/t/$tenantId/billing/invoices" params={params} className={tabClass}>
          Invoices
        </Link>
        <Link to="/t/$tenantId/billing/payment" params={params} className={tabClass}>
          Payment
        </Link>
      </TabLinks>
      <Outlet />
    </Page>
  );
}
