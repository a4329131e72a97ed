import { createContext, useContext } from 'react';
import type { DeploymentDetail, RegionName, SluiceClient } from '@sluice/client';
import type { Layer } from '@sluice/console-core/api/keys.ts';
import type { NamedPlace } from '@sluice/console-core/lib/apply-lines.ts';
import type { ActionPlace } from '@sluice/console-core/api/permissions.ts';

/** What the tabs of a deployment's page are about. */
export interface OpenDeployment {
  /** as the Main API has it */
  deployment: DeploymentDetail;
  /** of operations of the Main API */
  path: { tenant_id: number; division_id: number; environment_id: number; deployment_id: number };
  /** of `ActionButton` and `useAllowed` */
  place: ActionPlace;
  region: RegionName;
  /** the client of its region, for operations of the Supervisor API */
  supervisor: SluiceClient;
  /** the layer of queries of its region */
  layer: Layer;
  /** for links to its tabs */
  params: { tenantId: number; divisionId: number; environmentId: number; deploymentId: number };
  /** the names of its places and its own, for lines of `apply` */
  names: NamedPlace;
  /** `division/environment/name`, as commands take it */
  words: string;
}

export const DeploymentContext = createContext<OpenDeployment | undefined>(undefined);

/** The deployment of the page. Only below its route, which shows tabs once it is there. */
export function useDeployment(): OpenDeployment {
  const open = useContext(DeploymentContext);
  if (!open) throw new Error('There is no deployment around this component.');
  return open;
}
