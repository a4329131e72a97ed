import { getRouteApi, Outlet, useRouter } from '@tanstack/react-router';
import { useIsLive } from '@sluice/console-core/api/feeds.ts';
import { useBreadcrumb } from '@sluice/console-core/parts/breadcrumb.ts';
import { ErrorState, LiveMark, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { Tag } from '@sluice/ui/status.tsx';
import { DeploymentStatusMark } from '@sluice/console-core/parts/deployment-status.tsx';
import { tabClass, TabLinks } from '@sluice/ui/tabs.tsx';
import { DeploymentContext, useDeployment } from './deployment-context.ts';
import { HeaderActions } from './header-actions.tsx';
import { useDeploymentFeed, useOpenDeployment } from './open-deployment.ts';
import { aboutDeployment } from './place.ts';
import styles from './deployment.module.css';

const pagePath = '/t/$tenantId/d/$divisionId/$environmentId/$deploymentId';
const route = getRouteApi(pagePath);

/** The page of one deployment: what it is and how it is in the head, everything else in tabs. */
export function DeploymentPage() {
  const { tenantId, divisionId, environmentId, deploymentId } = route.useParams();
  const { open, names, error, refetch } = useOpenDeployment({
    tenantId,
    divisionId,
    environmentId,
    deploymentId,
  });
  useBreadcrumb(
    [
      <Link key="all" to="/t/$tenantId/deployments" params={{ tenantId }}>
        Deployments
      </Link>,
      <Link
        key="division"
        to="/t/$tenantId/deployments"
        params={{ tenantId }}
        search={{ division: divisionId }}
      >
        {names.division}
      </Link>,
      <Link
        key="environment"
        to="/t/$tenantId/deployments"
        params={{ tenantId }}
        search={{ division: divisionId, environment: environmentId }}
      >
        {names.environment}
      </Link>,
      <span key="name">{names.name}</span>,
    ],
    `${names.division}/${names.environment}/${names.name}`,
  );
  if (!open)
    return (
      <Page title={error ? 'Deployment' : ' '}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={8} />}
      </Page>
    );
  return (
    <DeploymentContext value={open}>
      <Opened />
    </DeploymentContext>
  );
}

interface TabRoute {
  to: string;
  options: { staticData?: { tab?: string } };
}

function Opened() {
  // the tabs are the routes below the page's own
  const tabs = Object.values<TabRoute>(useRouter().routesById[pagePath].children ?? {});
  const { deployment, params, region, layer } = useDeployment();
  useDeploymentFeed({ params, region });
  const isLive = useIsLive(params.tenantId, layer);
  return (
    <Page
      title={deployment.name}
      mark={
        <>
          <DeploymentStatusMark status={deployment.status} />
          {deployment.protected && <Tag>protected</Tag>}
        </>
      }
      about={
        <span className={styles.about}>
          {aboutDeployment(deployment)} <LiveMark isLive={isLive} />
        </span>
      }
      actions={<HeaderActions />}
    >
      {deployment.description && <p className={styles.description}>{deployment.description}</p>}
      <TabLinks label="Parts of the deployment">
        {tabs.map(({ to, options: { staticData } }) => (
          <Link
            key={to}
            to={to as typeof pagePath}
            params={params}
            className={tabClass}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {staticData?.tab}
          </Link>
        ))}
      </TabLinks>
      <Outlet />
    </Page>
  );
}
