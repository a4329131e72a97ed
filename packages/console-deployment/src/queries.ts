import {
  getCertificates,
  getDeployment,
  getDeploymentAtSupervisor,
  getDeploymentCost,
  listAccessRules,
  listActivities,
  listStatusPeriods,
  listTasks,
} from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { queryClient, read } from '@sluice/console-core/api/query-client.ts';
import type { OpenDeployment } from './deployment-context.ts';

/** A deployment as the Main API has it. */
export const deploymentQuery = (path: OpenDeployment['path']) =>
  read(keyOf('main', path.tenant_id, 'deployment', path.deployment_id), (signal) =>
    getDeployment({ client, path, signal }),
  );

type AtRegion = Pick<OpenDeployment, 'path' | 'layer' | 'supervisor'>;

/** A deployment as it runs. */
export const liveQuery = ({ path: { tenant_id, deployment_id }, layer, supervisor }: AtRegion) =>
  read(keyOf(layer, tenant_id, 'deployment', deployment_id), (signal) =>
    getDeploymentAtSupervisor({ client: supervisor, path: { deployment_id }, signal }),
  );

/** The statuses that a deployment has had, newest first. */
export const historyQuery = ({ path: { tenant_id, deployment_id }, layer, supervisor }: AtRegion) =>
  read(keyOf(layer, tenant_id, 'deployment', deployment_id, 'history'), (signal) =>
    listStatusPeriods({
      client: supervisor,
      path: { deployment_id },
      query: { results: 30 },
      signal,
    }),
  );

/** What clients trust. */
export const certificatesQuery = ({ path: { tenant_id, deployment_id }, layer, supervisor }: AtRegion) =>
  read(keyOf(layer, tenant_id, 'certificate', deployment_id), (signal) =>
    getCertificates({ client: supervisor, path: { deployment_id }, signal }),
  );

/** The rules by which addresses are let in. */
export const accessRulesQuery = ({ path: { tenant_id, deployment_id }, layer, supervisor }: AtRegion) =>
  read(keyOf(layer, tenant_id, 'access_rule', deployment_id), (signal) =>
    listAccessRules({ client: supervisor, path: { deployment_id }, signal }),
  );

/** What the nodes were given to do. */
export const tasksQuery = ({ path: { tenant_id, deployment_id }, layer, supervisor }: AtRegion) =>
  read(keyOf(layer, tenant_id, 'task', deployment_id, 'tasks'), (signal) =>
    listTasks({ client: supervisor, path: { deployment_id }, signal }),
  );

/** What the nodes were asked to do by people. */
export const activitiesQuery = ({ path: { tenant_id, deployment_id }, layer, supervisor }: AtRegion) =>
  read(keyOf(layer, tenant_id, 'task', deployment_id, 'activities'), (signal) =>
    listActivities({ client: supervisor, path: { deployment_id }, query: { results: 100 }, signal }),
  );

/** Reads again what is shown of a deployment, without waiting for the feeds. */
export const refresh = async ({ path: { tenant_id }, layer }: AtRegion, kind = 'deployment') => {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: [layer, tenant_id, kind] }),
    ...(kind === 'deployment'
      ? [queryClient.invalidateQueries({ queryKey: keyOf('main', tenant_id, 'deployment') })]
      : []),
  ]);
};

/** What a month costs until now and is going to cost. */
export const costQuery = (path: OpenDeployment['path']) =>
  read(keyOf('main', path.tenant_id, 'cost', path.deployment_id), (signal) =>
    getDeploymentCost({ client, path, signal }),
  );
