import { environmentsWith } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, Page, QueryOf } from '@sluice/http';
import { fieldProblem } from '@sluice/service';
import { featuresOf, requireCapability } from '@sluice/catalogue/features';
import type { Check } from '../../changes.ts';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import type { operations } from '../../generated/api.ts';
import {
  aboutOf,
  type DeploymentPath,
  getDeployment,
  listDeployments,
  listDeploymentsOf,
  markDeleting,
  type PlacedDeployment,
} from '@sluice/main-store/deployments.store';
import type { DivisionPath } from '@sluice/main-store/divisions.store';
import type { EnvironmentPath } from '@sluice/main-store/environments.store';
import { findRegisteredRegions, holdRegion } from '../regions/regions.store.ts';
import { listUpgrades } from '@sluice/main-store/deployment-upgrades.store';
import { lockTenant, type TenantPath, type TenantTerms } from '@sluice/main-store/tenants.store';
import { getVisibleDivision, getVisibleEnvironment } from '../access/visibility.ts';
import { deletion, requireCode } from '../organization/protection/guard.ts';
import { planAccess, requireActiveAccount, type PlannedAccess } from './byoc-access.ts';
import { requireClusters } from './clusters.ts';
import { addDeployment, freeName } from './deployment-creation.ts';
import {
  planDeployment,
  type DeploymentPlan,
  type DeploymentRequest,
  type ManagedDeploymentInput,
} from './deployment-plan.ts';
import type { Detail } from './deployment-view.ts';
import { starterEnvironment } from './starter-environment.ts';

type ByocInput = BodyOf<operations['createByocDeployment']>;
type TenantList = Omit<QueryOf<operations['listAllDeployments']>, 'page' | 'results'>;
type StarterInput = BodyOf<operations['createStarterDeployment']>;
export type DeploymentsService = ReturnType<typeof deploymentsService>;

/** The rules of deployments (interface, 4.4). What happens in their regions follows from the commands sent here. */
export function deploymentsService(core: Core) {
  const { database, work } = core;
  return {
    createManaged: (caller: Caller, path: EnvironmentPath, { name, ...request }: ManagedDeploymentInput) =>
      work(caller, async (tx): Promise<PlacedDeployment> => {
        const tenant = await lockTenant(tx, path.tenant_id);
        const plan = await planFor(tx, core, tenant, request);
        const division = await getVisibleDivision(tx, caller, path);
        const environment = await getVisibleEnvironment(tx, caller, path);
        return await addDeployment(tx, core, caller, tenant, { division, environment }, plan, name);
      }),

    /** In the tenant's own account. */
    createByoc: (caller: Caller, path: EnvironmentPath, { name, ...request }: ByocInput) =>
      work(caller, async (tx): Promise<PlacedDeployment> => {
        const tenant = await lockTenant(tx, path.tenant_id);
        requireCapability(featuresOf(core.catalogue, tenant), 'byoc_enabled');
        const own = await planAccess(tx, core, tenant, request);
        const plan = await planFor(tx, core, tenant, request, own);
        const division = await getVisibleDivision(tx, caller, path);
        const environment = await getVisibleEnvironment(tx, caller, path);
        await requireActiveAccount(tx, tenant, own.access);
        return await addDeployment(tx, core, caller, tenant, { division, environment }, plan, name);
      }),

    createStarter: (caller: Caller, path: DivisionPath, input: StarterInput) =>
      work(caller, async (tx): Promise<PlacedDeployment> => {
        const { cloud, region, labels, deployment_name, ...wanted } = input;
        const tenant = await lockTenant(tx, path.tenant_id);
        requireOneEnvironment(caller, path, wanted);
        const plan = await planFor(tx, core, tenant, {
          ...{ cloud, region, labels },
          ...{ tier: 'free', cluster: 'standalone' },
        });
        const division = await getVisibleDivision(tx, caller, path);
        const environment = await starterEnvironment(tx, core, tenant, caller, division, wanted);
        const name = deployment_name ?? (await freeName(tx, environment.id));
        return await addDeployment(tx, core, caller, tenant, { division, environment }, plan, name);
      }),

    async list(caller: Caller, path: EnvironmentPath, page: Page) {
      await getVisibleEnvironment(database, caller, path);
      return await listDeployments(database, path, page);
    },

    /** Those of all environments of which the caller may read the deployments. */
    listAll: (
      { permissions }: Caller,
      { tenant_id }: TenantPath,
      { sort, ...filter }: TenantList,
      page: Page,
    ) =>
      listDeploymentsOf(
        database,
        tenant_id,
        environmentsWith(permissions, 'deployment:read'),
        filter,
        sort ?? '-created_at',
        page,
      ),

    /** Has a deployment removed by its region. A second call, while that goes on, changes nothing. */
    delete: (caller: Caller, path: DeploymentPath, code: string | undefined, check: Check<Detail>) =>
      deletion(core, caller, async (tx) => {
        await lockTenant(tx, path.tenant_id);
        const deployment = await getDeployment(tx, path);
        if (deployment.delete_requested_at) return;
        check({ deployment, upgrades: await listUpgrades(tx, deployment.id) });
        await requireCode(tx, core, path, deployment, code);
        await getVisibleDivision(tx, caller, path);
        await getVisibleEnvironment(tx, caller, path);
        const { id, uid, name } = deployment;
        const about = { uid, code: deployment.code };
        await markDeleting(tx, id);
        tx.emit('deployment_deleted', aboutOf(deployment), { name, code: deployment.code });
        tx.command(deployment, 'deployment_delete', { deployment_id: id, ...about, cause: caller.cause });
      }),
  };
}

async function planFor(
  tx: Transaction,
  { catalogue, prices }: Pick<Core, 'catalogue' | 'prices'>,
  tenant: TenantTerms,
  request: DeploymentRequest,
  own?: PlannedAccess,
): Promise<DeploymentPlan> {
  const features = featuresOf(catalogue, tenant);
  if (request.cluster === 'cluster')
    await requireClusters(tx, catalogue, features, request, own !== undefined);
  await holdRegion(tx, request);
  const registered = await findRegisteredRegions(tx, request.cloud);
  return planDeployment(catalogue, features, registered, prices.since(tenant.id), request, own);
}

/** @throws Problem `forbidden` in an environment where the caller may not, `invalid_request` when two are asked for */
function requireOneEnvironment(
  caller: Caller,
  { division_id }: DivisionPath,
  { environment_id, environment_name }: Pick<StarterInput, 'environment_id' | 'environment_name'>,
): void {
  if (environment_id)
    caller.require('environment', 'deployment:manage', {
      division: division_id,
      environment: environment_id,
    });
  if (environment_id && environment_name)
    throw fieldProblem('environment_name', 'not_together', 'cannot be given together with environment_id');
}
