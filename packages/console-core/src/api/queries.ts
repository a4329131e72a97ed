import { infiniteQueryOptions } from '@tanstack/react-query';
import {
  getAccount,
  getContext,
  getCurrentCost,
  getStructure,
  getSummary,
  getTenantContext,
  getTenantSummary,
  listAllDeployments,
  listMembers,
  listOwnInvitations,
  listOwnTenants,
  type ListAllDeploymentsData,
  type RegionName,
} from '@sluice/client';
import { sluice as client } from './client.ts';
import { keyOf, regionLayer } from './keys.ts';
import { read } from './query-client.ts';

/** The queries of what several pages show. A page keeps its own queries beside it, made by `read` and `keyOf` likewise. */

export const accountQuery = read(keyOf('main', null, 'account'), (signal) => getAccount({ client, signal }));

export const installationQuery = read(keyOf('main', null, 'installation'), (signal) =>
  getContext({ client, signal }),
);

export const ownTenantsQuery = read(keyOf('main', null, 'own_tenants'), (signal) =>
  listOwnTenants({ client, query: { results: 100 }, signal }),
);

export const ownInvitationsQuery = read(keyOf('main', null, 'own_invitations'), (signal) =>
  listOwnInvitations({ client, signal }),
);

/** What the caller may do in a tenant. */
export const contextQuery = (tenant_id: number) =>
  read(keyOf('main', tenant_id, 'context'), (signal) =>
    getTenantContext({ client, path: { tenant_id }, signal }),
  );

export const structureQuery = (tenant_id: number) =>
  read(keyOf('main', tenant_id, 'structure'), (signal) =>
    getStructure({ client, path: { tenant_id }, signal }),
  );

/** What the running month costs until now. It changes slowly. */
export const currentCostQuery = (tenant_id: number) => ({
  ...read(keyOf('main', tenant_id, 'cost'), (signal) =>
    getCurrentCost({ client, path: { tenant_id }, signal }),
  ),
  staleTime: 300_000,
});

export const summaryQuery = (tenant_id: number) =>
  read(keyOf('main', tenant_id, 'summary'), (signal) => getSummary({ client, path: { tenant_id }, signal }));

export const regionSummaryQuery = (tenant_id: number, region: RegionName) =>
  read(keyOf(regionLayer(region), tenant_id, 'summary'), (signal) =>
    getTenantSummary({
      client: client.at(region).with({ attempts: 1, timeoutMs: 5000 }),
      path: { tenant_id },
      signal,
    }),
  );

export const membersQuery = (tenant_id: number) =>
  read(keyOf('main', tenant_id, 'member', 'list'), (signal) =>
    listMembers({ client, path: { tenant_id }, query: { results: 100 }, signal }),
  );

export type DeploymentFilter = Omit<NonNullable<ListAllDeploymentsData['query']>, 'page' | 'results'>;

const pageSize = 100;

/** Deployments of the whole tenant that fit a filter, page by page. */
export const deploymentsQuery = (tenant_id: number, filter: DeploymentFilter) =>
  infiniteQueryOptions({
    queryKey: keyOf('main', tenant_id, 'deployment', 'list', filter),
    queryFn: async ({ pageParam: page, signal }) =>
      (
        await listAllDeployments({
          client,
          path: { tenant_id },
          query: { ...filter, page, results: pageSize },
          signal,
        })
      ).data,
    initialPageParam: 1,
    getNextPageParam: ({ total_results }, _all, page) =>
      page * pageSize < total_results ? page + 1 : undefined,
  });
