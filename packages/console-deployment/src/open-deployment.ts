import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { sluice } from '@sluice/console-core/api/client.ts';
import { useFeed } from '@sluice/console-core/api/feeds.ts';
import { regionLayer } from '@sluice/console-core/api/keys.ts';
import { structureQuery } from '@sluice/console-core/api/queries.ts';
import type { OpenDeployment } from './deployment-context.ts';
import { placeNames, placeWords } from './place.ts';
import { deploymentQuery } from './queries.ts';

/** Reads the deployment of a page, for its `DeploymentContext`. */
export function useOpenDeployment({
  tenantId,
  divisionId,
  environmentId,
  deploymentId,
}: OpenDeployment['params']) {
  const path = {
    tenant_id: tenantId,
    division_id: divisionId,
    environment_id: environmentId,
    deployment_id: deploymentId,
  };
  const { data: deployment, error, refetch } = useQuery(deploymentQuery(path));
  const { data: structure } = useQuery(structureQuery(tenantId));
  const names = { ...placeNames(structure, divisionId, environmentId), name: deployment?.name ?? '' };
  const { cloud, region } = deployment ?? {};
  const supervisor = useMemo(
    () => (cloud && region ? sluice.at({ cloud, region }) : undefined),
    [cloud, region],
  );
  const open: OpenDeployment | undefined = deployment &&
    supervisor && {
      deployment,
      path,
      place: { division: divisionId, environment: environmentId },
      region: { cloud: deployment.cloud, region: deployment.region },
      supervisor,
      layer: regionLayer(deployment),
      params: { tenantId, divisionId, environmentId, deploymentId },
      names,
      words: placeWords([names.division, names.environment, names.name], deploymentId),
    };
  return { open, names, error, refetch };
}

/** Follows what changes of the deployment in its region, as long as it is mounted. */
export const useDeploymentFeed = ({ params, region }: Pick<OpenDeployment, 'params' | 'region'>): void =>
  useFeed(params.tenantId, region);
