import { getRouteApi, Outlet } from '@tanstack/react-router';
import { useBreadcrumb } from '@sluice/console-core/parts/breadcrumb.ts';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { tabClass, TabLinks } from '@sluice/ui/tabs.tsx';

const route = getRouteApi('/t/$tenantId/audit');
const exact = { exact: true, includeSearch: false };

/** Who has done what: the log, whether it is as it was recorded, and where it is sent. */
export function AuditPage() {
  const params = route.useParams();
  useBreadcrumb(['Audit'], 'audit');
  return (
    <Page title="Audit" about="Who has done what, and when. Entries are only ever added.">
      <TabLinks label="Parts of the audit log">
        <Link to="/t/$tenantId/audit" params={params} className={tabClass} activeOptions={exact}>
          Log
        </Link>
        <Link to="/t/$tenantId/audit/verification" params={params} className={tabClass}>
          Verification
        </Link>
        <Link to="/t/$tenantId/audit/sink" params={params} className={tabClass}>
          Sink
        </Link>
      </TabLinks>
      <Outlet />
    </Page>
  );
}
