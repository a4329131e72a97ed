import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet } from '@tanstack/react-router';
import { sluice } from '../../api/client.ts';
import { useFeed, useIsLive } from '../../api/feeds.ts';
import { regionLayer } from '../../api/keys.ts';
import { structureQuery } from '../../api/queries.ts';
import { useBreadcrumb } from '../../layout/breadcrumb.ts';
import { deploymentTabs } from '../../routes/deployment-tabs.ts';
import { ErrorState, LiveMark, SkeletonLines } from '../../ui/feedback.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { DeploymentStatusMark, Tag } from '../../ui/status.tsx';
import { tabClass, TabLinks } from '../../ui/tabs.tsx';
import { DeploymentContext, useDeployment, type OpenDeployment } from './deployment-context.ts';
import { HeaderActions } from './header-actions.tsx';
import { aboutDeployment, placeNames, placeWords } from './place.ts';
import { deploymentQuery } from './queries.ts';
import styles from './deployment.module.css';

const route = getRouteApi('/t/$tenantId/d/$divisionId/$environmentId/$deploymentId');

/** The page of one deployment: what it is and how it is in the head, everything else in tabs. */
export function DeploymentPage() {
  const { tenantId, divisionId, environmentId, deploymentId } = route.useParams();
  const path = {
    tenant_id: tenantId,
    division_id: divisionId,
    environment_id: environmentId,
    deployment_id: deploymentId,
  };
  const { data: deployment, error, refetch } = useQuery(deploymentQuery(path));
  const { data: structure } = useQuery(structureQuery(tenantId));
  const names = placeNames(structure, divisionId, environmentId);
  const { cloud, region } = deployment ?? {};
  const supervisor = useMemo(
    () => (cloud && region ? sluice.at({ cloud, region }) : undefined),
    [cloud, region],
  );
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
      <span key="name">{deployment?.name ?? ''}</span>,
    ],
    `${names.division}/${names.environment}/${deployment?.name}`,
  );
  if (!deployment || !supervisor)
    return (
      <Page title={error ? 'Deployment' : ' '}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={8} />}
      </Page>
    );
  const at = { cloud: deployment.cloud, region: deployment.region };
  const open: OpenDeployment = {
    deployment,
    path,
    place: { division: divisionId, environment: environmentId },
    region: at,
    supervisor,
    layer: regionLayer(at),
    params: { tenantId, divisionId, environmentId, deploymentId },
    names: { ...names, name: deployment.name },
    words: placeWords([names.division, names.environment, deployment.name], deploymentId),
  };
  return (
    <DeploymentContext value={open}>
      <Opened />
    </DeploymentContext>
  );
}

function Opened() {
  const { deployment, params, region, layer } = useDeployment();
  useFeed(params.tenantId, region);
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
        {deploymentTabs.map(({ to, options: { staticData } }) => (
          <Link
            key={to}
            to={to}
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
