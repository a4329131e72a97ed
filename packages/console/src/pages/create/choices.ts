import { useQueries, useQuery } from '@tanstack/react-query';
import type { Structure } from '@sluice/client';
import { regionsQuery } from '@sluice/console-core/api/catalogue.ts';
import { installationQuery } from '@sluice/console-core/api/queries.ts';

/** The regions of all clouds that take deployments, as options. */
export function useRegionOptions(tenantId: number) {
  const { data: installation } = useQuery(installationQuery);
  const clouds = [...new Set(installation?.regions.map(({ cloud }) => cloud))];
  const lists = useQueries({ queries: clouds.map((cloud) => regionsQuery(tenantId, cloud)) });
  return clouds.flatMap((cloud, index) =>
    (lists[index]?.data ?? []).map(({ key, name, available }) => ({
      key: `${cloud}/${key}`,
      label: `${cloud} · ${name}`,
      note: key,
      ...(!available && { disabledReason: 'takes no new deployments' }),
    })),
  );
}

/** The environments of all divisions as options; the key has both ids. */
export const environmentOptions = ({ divisions }: Structure) =>
  divisions.flatMap((division) =>
    division.environments.map(({ id, name }) => ({
      key: `${division.id}/${id}`,
      label: `${division.name} / ${name}`,
    })),
  );

/** Where a deployment is. */
export function findPlace({ divisions }: Structure, deploymentId: number) {
  for (const division of divisions)
    for (const environment of division.environments)
      if (environment.deployments.some(({ id }) => id === deploymentId))
        return { divisionId: division.id, environmentId: environment.id, deploymentId };
  return undefined;
}

/** The environment of the address, or the only one. */
export function chosenEnvironment(
  structure: Structure,
  search: { division?: number; environment?: number },
): string | null {
  const options = environmentOptions(structure);
  const wanted = `${search.division}/${search.environment}`;
  return options.find(({ key }) => key === wanted)?.key ?? (options.length === 1 ? options[0]!.key : null);
}
