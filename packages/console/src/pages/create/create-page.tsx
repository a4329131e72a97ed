import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { structureQuery } from '@sluice/console-core/api/queries.ts';
import { useBreadcrumb } from '@sluice/console-core/parts/breadcrumb.ts';
import { ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { tabClass, TabLinks } from '@sluice/ui/tabs.tsx';
import { CreateForm } from './create-form.tsx';
import { StarterForm } from './starter-form.tsx';

const route = getRouteApi('/t/$tenantId/deployments/new');
const kinds = [
  { key: 'managed', title: 'Managed', about: 'On the infrastructure of the platform.' },
  { key: 'byoc', title: 'In your account', about: 'In a cloud account of yours, after a few steps there.' },
  { key: 'starter', title: 'Starter', about: 'Free, for development: one node, ready in a minute.' },
] as const;

/** Makes a deployment of one of three kinds. */
export function CreatePage() {
  const { tenantId } = route.useParams();
  const search = route.useSearch();
  const { data: structure, error, refetch } = useQuery(structureQuery(tenantId));
  useBreadcrumb(
    [
      <Link key="all" to="/t/$tenantId/deployments" params={{ tenantId }}>
        Deployments
      </Link>,
      <span key="new">New</span>,
    ],
    'new',
  );
  const kind = kinds.find(({ key }) => key === search.kind) ?? kinds[0];
  return (
    <Page title="New deployment" about={kind.about}>
      <TabLinks label="Kinds">
        {kinds.map(({ key, title }) => (
          <Link
            key={title}
            to="/t/$tenantId/deployments/new"
            params={{ tenantId }}
            search={(before) => ({ ...before, kind: key })}
            className={tabClass}
            data-selected={key === kind.key || undefined}
            aria-current={key === kind.key ? 'page' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {title}
          </Link>
        ))}
      </TabLinks>
      {structure ? (
        kind.key === 'starter' ? (
          <StarterForm structure={structure} search={search} />
        ) : (
          <CreateForm key={kind.title} structure={structure} search={search} isByoc={kind.key === 'byoc'} />
        )
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines count={8} />
      )}
    </Page>
  );
}
