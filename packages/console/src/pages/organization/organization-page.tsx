import { Outlet } from '@tanstack/react-router';
import { useBreadcrumb } from '@sluice/console-core/parts/breadcrumb.ts';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { TabLinks, tabClass } from '@sluice/ui/tabs.tsx';

const tabs = [
  { to: '/t/$tenantId/organization', title: 'Settings' },
  { to: '/t/$tenantId/organization/domain', title: 'Domain and joining' },
  { to: '/t/$tenantId/organization/cloud-accounts', title: 'Cloud accounts' },
  { to: '/t/$tenantId/organization/plan', title: 'Plan and limits' },
] as const;

/** The organization: its settings, how people come in, its cloud accounts and its plan. */
export function OrganizationPage() {
  const tenantId = useTenantId();
  useBreadcrumb(['Organization'], 'organization');
  return (
    <Page title="Organization">
      <TabLinks label="Parts of the organization">
        {tabs.map(({ to, title }) => (
          <Link
            key={to}
            to={to}
            params={{ tenantId }}
            className={tabClass}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {title}
          </Link>
        ))}
      </TabLinks>
      <Outlet />
    </Page>
  );
}
