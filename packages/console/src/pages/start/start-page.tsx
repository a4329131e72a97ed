import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { structureQuery } from '@sluice/console-core/api/queries.ts';
import { useBreadcrumb } from '@sluice/console-core/parts/breadcrumb.ts';
import { ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { findPlace } from '../create/choices.ts';
import { FirstDeployment } from './first-deployment.tsx';
import { RegionStep } from './region-step.tsx';
import styles from './start.module.css';

const route = getRouteApi('/t/$tenantId/start');

/** Leads from nothing to a client that is connected, step by step. */
export function StartPage() {
  const { tenantId } = route.useParams();
  const { deployment } = route.useSearch();
  const { data: structure, error, refetch } = useQuery(structureQuery(tenantId));
  useBreadcrumb(['Start'], 'start');
  const found = structure && deployment !== undefined ? findPlace(structure, deployment) : undefined;
  return (
    <Page
      title="Start"
      about="A free deployment for development, and a client that is connected to it, in about a minute."
    >
      {structure ? (
        <ol className={styles.steps}>
          <RegionStep structure={structure} made={found} />
          {found && <FirstDeployment params={{ tenantId, ...found }} />}
        </ol>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines count={6} />
      )}
    </Page>
  );
}
