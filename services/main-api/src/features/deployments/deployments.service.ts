import type { DeploymentId, DivisionId, TenantId } from '@sluice/contracts';
import { fieldProblem, problem, type Page, type Caller } from '@sluice/service-kit';
import { featuresOf } from '../../catalogue/features.ts';
import type { Core } from '../../core.ts';
import type { Transaction } from '../../database.ts';
import type { operations } from '../../generated/api.ts';
import { requireDivision } from '../access/visibility.ts';
import { requireEnvironment } from '../access/environment-access.ts';
import { deletion, requireCode } from '../organization/protection/guard.ts';
import { registeredRegions } from '../../stores/regions.store.ts';
import { lockTenant } from '../../stores/tenants.store.ts';
import { aboutOf, addDeployment, freeName, type Creation } from './deployment-creation.ts';
import { planDeployment, type ManagedDeploymentInput } from './deployment-plan.ts';
import {
  findDeployment,
  listDeployments,
  markDeleting,
  type DeploymentPlace,
  type DeploymentView,
} from '../../stores/deployments.store.ts';
import { starterEnvironment } from './starter-environment.ts';

export type StarterInput =
  operations['createStarterDeployment']['requestBody']['content']['application/json'];
export type DeploymentsService = ReturnType<typeof deploymentsService>;

/** The rules of deployments (interface, 4.4). What happens in their regions follows from the commands sent here. */
export function deploymentsService(core: Core) {
  const { database, work } = core;
  return {
    /** @throws Problem as `planDeployment` and `addDeployment` do; `not_found` */
    createManaged: (caller: Caller, place: DeploymentPlace, input: ManagedDeploymentInput) =>
      work(caller, async (tx) => createManaged(await begin(core, tx, caller, place.tenant_id), place, input)),

    /** @throws Problem as `createManaged` does; `forbidden` in an environment where the caller may not */
    createStarter: (caller: Caller, tenantId: TenantId, divisionId: DivisionId, input: StarterInput) =>
      work(caller, async (tx) => createStarter(await begin(core, tx, caller, tenantId), divisionId, input)),

    async list(caller: Caller, place: DeploymentPlace, page: Page) {
      await requireEnvironment(database, caller, place, place.environment_id);
      return await listDeployments(database, place, page);
    },

    /** @throws Problem `not_found` */
    async get(place: DeploymentPlace, id: DeploymentId) {
      const deployment = await findDeployment(database, place, id);
      if (!deployment) throw problem('not_found');
      return deployment;
    },

    /**
     * Has a deployment removed by its region. A second call, while that goes on, changes nothing.
     * @throws Problem as `requireCode` does; `not_found`
     */
    remove: (caller: Caller, place: DeploymentPlace, id: DeploymentId, code: string | undefined) =>
      deletion(core, caller, async (tx) => {
        await lockTenant(tx, place.tenant_id);
        const deployment = await findDeployment(tx, place, id);
        if (!deployment) throw problem('not_found');
        if (deployment.delete_requested_at) return;
        await requireCode(tx, core, { ...place, deployment_id: id }, deployment, code);
        const division = await requireDivision(tx, caller, place.tenant_id, place.division_id);
        const environment = await requireEnvironment(tx, caller, place, place.environment_id);
        await markDeleting(tx, id);
        const about = aboutOf(place.tenant_id, division, environment, deployment);
        tx.emit('deployment_deleted', about, { name: deployment.name, code: deployment.code });
        tx.command(deployment, 'deployment_delete', { deployment_id: id, cause: caller.cause });
      }),
  };
}

/** Locks the tenant, so that its limits hold until the deployment is stored. */
async function begin(core: Core, tx: Transaction, caller: Caller, tenantId: TenantId): Promise<Creation> {
  const tenant = await lockTenant(tx, tenantId);
  const features = featuresOf(core.catalogue, tenant.plan, tenant.feature_overrides);
  return { core, tx, caller, tenant, features };
}

async function createManaged(
  creation: Creation,
  place: DeploymentPlace,
  { name, ...request }: ManagedDeploymentInput,
): Promise<DeploymentView> {
  const { core, tx, features } = creation;
  const { caller } = creation;
  const plan = planDeployment(core.catalogue, features, await registeredRegions(tx, request.cloud), request);
  const division = await requireDivision(tx, caller, place.tenant_id, place.division_id);
  const environment = await requireEnvironment(tx, caller, place, place.environment_id);
  return await addDeployment(creation, division, environment, plan, name);
}

async function createStarter(
  creation: Creation,
  divisionId: DivisionId,
  { cloud, region, deployment_name, ...wanted }: StarterInput,
): Promise<DeploymentView> {
  const { core, tx, tenant, features } = creation;
  const { caller } = creation;
  const { environment_id, environment_name } = wanted;
  if (environment_id)
    caller.require('environment', 'deployment:manage', {
      division: divisionId,
      environment: environment_id,
    });
  if (environment_id && environment_name)
    throw fieldProblem('environment_name', 'not_together', 'cannot be given together with environment_id');
  const request = { cloud, region, tier: 'free', cluster: 'standalone' } as const;
  const plan = planDeployment(core.catalogue, features, await registeredRegions(tx, cloud), request);
  const division = await requireDivision(tx, caller, tenant.id, divisionId);
  const environment = await starterEnvironment(tx, core, tenant, caller, division, wanted);
  const name = deployment_name ?? (await freeName(tx, environment.id));
  return await addDeployment(creation, division, environment, plan, name);
}
