import { seesDivision, seesEnvironment, type DivisionId, type TenantId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { Database } from '@sluice/region-store/tables';
import type { components } from '../../generated/api.ts';
import { countByEnvironment, type EnvironmentCounts } from './summaries.store.ts';

type Summary = components['schemas']['RegionSummary'];

export type SummariesService = ReturnType<typeof summariesService>;

/** What a tenant, or one of its divisions, has in this region, in numbers (interface, 2.4 and 4.2 rule 2). */
export const summariesService =
  (database: Database) =>
  async (
    { permissions }: Caller,
    { tenant_id, division_id }: { tenant_id: TenantId; division_id?: DivisionId },
  ): Promise<Summary> => {
    const counts = await countByEnvironment(database, tenant_id, division_id ?? null);
    const seen = counts.filter(
      ({ division_id: division, environment_id }) =>
        seesDivision(permissions, division) && seesEnvironment(permissions, division, environment_id),
    );
    const total = (count: keyof EnvironmentCounts) =>
      seen.reduce((sum, { [count]: value }) => sum + value, 0);
    return {
      healthy_deployments: total('healthy_deployments'),
      unhealthy_deployments: total('unhealthy_deployments'),
      healthy_nodes: total('healthy_nodes'),
      unhealthy_nodes: total('unhealthy_nodes'),
      total_connectors: total('connectors'),
      total_streams: total('streams'),
      total_topics: total('topics'),
      total_partitions: total('partitions'),
      total_segments: total('segments'),
      total_messages: total('messages'),
      total_consumer_groups: total('consumer_groups'),
      total_clients: total('clients'),
    };
  };
