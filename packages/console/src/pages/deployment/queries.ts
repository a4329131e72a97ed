import { getDeployment, getDeploymentAtSupervisor, listStatusPeriods } from '@sluice/client';
import { sluice as client } from '../../api/client.ts';
import { keyOf } from '../../api/keys.ts';
import { read } from '../../api/query-client.ts';
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
