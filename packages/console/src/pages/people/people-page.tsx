import { Outlet } from '@tanstack/react-router';
import { useIsLive } from '@sluice/console-core/api/feeds.ts';
import { useBreadcrumb } from '@sluice/console-core/parts/breadcrumb.ts';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { LiveMark } from '@sluice/ui/feedback.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { TabLinks, tabClass } from '@sluice/ui/tabs.tsx';
import { Invite, InviteButton } from './invite.tsx';

const tabs = [
  { to: '/t/$tenantId/people', title: 'Members' },
  { to: '/t/$tenantId/people/invitations', title: 'Invitations' },
  { to: '/t/$tenantId/people/join-requests', title: 'Join requests' },
] as const;

/** Who is in the organization, who is invited and who asks to come in. */
export function PeoplePage() {
  const tenantId = useTenantId();
  const isLive = useIsLive(tenantId);
  useBreadcrumb(['People'], 'people');
  return (
    <Page
      title="People"
      mark={<LiveMark isLive={isLive} />}
      about="Members of the organization and their roles."
      actions={<InviteButton />}
    >
      <TabLinks label="Parts of people">
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
      <Invite tenantId={tenantId} />
    </Page>
  );
}
