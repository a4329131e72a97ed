import type { Caller } from '@sluice/grants';
import type { BodyOf } from '@sluice/http';
import { fieldProblem } from '@sluice/service';
import { changeOf, changesTo, type Check } from '../../changes.ts';
import type { Core } from '../../core.ts';
import type { operations } from '../../generated/api.ts';
import {
  aboutOf,
  type DeploymentPath,
  getChangeable,
  updateDeployment,
} from '@sluice/main-store/deployments.store';
import { listUpgrades } from '@sluice/main-store/deployment-upgrades.store';
import { lockTenant } from '@sluice/main-store/tenants.store';
import { requireMayProtect } from '../organization/protection/guard.ts';
import { requireStandingFor } from '../payments/standing.ts';
import { sendShapes } from '../regions/shapes.ts';
import type { Detail } from './deployment-view.ts';
import { isWholeCents } from './deployment-plan.ts';
import { checkPrice } from './price-limit.ts';

type DeploymentChanges = BodyOf<operations['updateDeployment']>;
type SpendLimit = BodyOf<operations['setSpendLimit']>;
type RetentionChange = BodyOf<operations['setRetention']>;
export type DeploymentChangesService = ReturnType<typeof deploymentChangesService>;

/** What can be changed of a deployment without another shape of its nodes (interface, 4.4). */
export function deploymentChangesService(core: Core) {
  const { work, catalogue, prices } = core;
  return {
    update: (caller: Caller, path: DeploymentPath, wanted: DeploymentChanges, check: Check<Detail>) =>
      work(caller, async (tx) => {
        await lockTenant(tx, path.tenant_id);
        const deployment = await getChangeable(tx, path);
        check({ deployment, upgrades: await listUpgrades(tx, deployment.id) });
        requireMayProtect(caller, deployment, wanted.protected);
        const changes = changesTo(deployment, wanted, ['description']);
        if (Object.keys(changes).length === 0) return;
        await updateDeployment(tx, deployment.id, changes);
        tx.emit('deployment_updated', aboutOf(deployment), changeOf(deployment, changes));
      }),

    setSpendLimit: (caller: Caller, path: DeploymentPath, { spend_limit }: SpendLimit) =>
      work(caller, async (tx) => {
        if (!isWholeCents(spend_limit))
          throw fieldProblem('spend_limit', 'not_a_multiple', 'has to be whole cents');
        const tenant = await lockTenant(tx, path.tenant_id);
        const deployment = await getChangeable(tx, path);
        if (deployment.spend_limit === spend_limit) return;
        const changes = { spend_limit };
        await updateDeployment(tx, deployment.id, changes);
        await sendShapes(tx, caller.cause, core, tenant, { id: deployment.id });
        tx.emit('deployment_spend_limit_updated', aboutOf(deployment), changeOf(deployment, changes));
      }),

    setRetention: (
      caller: Caller,
      path: DeploymentPath,
      { retention: { telemetry_days } }: RetentionChange,
    ) =>
      work(caller, async (tx) => {
        const { max } = catalogue.telemetry_days;
        if (telemetry_days > max)
          throw fieldProblem('retention/telemetry_days', 'too_large', `has to be at most ${max}`);
        const tenant = await lockTenant(tx, path.tenant_id);
        const deployment = await getChangeable(tx, path);
        if (deployment.telemetry_days === telemetry_days) return;
        const after = { ...deployment, telemetry_days };
        checkPrice(prices.since(tenant.id), after, 'retention/telemetry_days');
        await requireStandingFor(tx, core, tenant, deployment, after);
        await updateDeployment(tx, deployment.id, { telemetry_days });
        await sendShapes(tx, caller.cause, core, tenant, { id: deployment.id });
        const former = { retention: { telemetry_days: deployment.telemetry_days } };
        const changes = { retention: { telemetry_days } };
        tx.emit('deployment_retention_updated', aboutOf(deployment), { changes, former });
      }),
  };
}
