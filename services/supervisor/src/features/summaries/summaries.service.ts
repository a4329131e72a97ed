import { seesDivision, seesEnvironment, type DivisionId, type TenantId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { ParamsOf } from '@sluice/http';
import type { Database } from '../../database/tables.ts';
import type { components, operations } from '../../generated/api.ts';
import { countByEnvironment, type EnvironmentCounts } from './summaries.store.ts';

type Summary = components['schemas']['RegionSummary'];

export type SummariesService = ReturnType<typeof summariesService>;

/** What a tenant has in this region, in numbers (interface, 2.4 and 4.2 rule 2). */
export function summariesService(database: Database) {
  async function summary(
    caller: Caller,
    tenantId: TenantId,
    divisionId: DivisionId | null,
  ): Promise<Summary> {
    const counts = await countByEnvironment(database, tenantId, divisionId);
    return sum(counts.filter((environment) => maySee(caller, environment)));
  }

  return {
    ofTenant: (caller: Caller, { tenant_id }: ParamsOf<operations['getTenantSummary']>) =>
      summary(caller, tenant_id, null),
    ofDivision: (caller: Caller, { tenant_id, division_id }: ParamsOf<operations['getDivisionSummary']>) =>
      summary(caller, tenant_id, division_id),
  };
}

const maySee = ({ permissions }: Caller, { division_id, environment_id }: EnvironmentCounts): boolean =>
  seesDivision(permissions, division_id) && seesEnvironment(permissions, division_id, environment_id);

function sum(counts: readonly EnvironmentCounts[]): Summary {
  const total = (of: (environment: EnvironmentCounts) => number) =>
    counts.reduce((soFar, environment) => soFar + of(environment), 0);
  return {
    healthy_deployments: total((environment) => environment.healthy_deployments),
    unhealthy_deployments: total((environment) => environment.unhealthy_deployments),
    healthy_nodes: total((environment) => environment.healthy_nodes),
    unhealthy_nodes: total((environment) => environment.unhealthy_nodes),
    total_connectors: total((environment) => environment.connectors),
    total_streams: total((environment) => environment.streams),
    total_topics: total((environment) => environment.topics),
    total_partitions: total((environment) => environment.partitions),
    total_segments: total((environment) => environment.segments),
    total_messages: total((environment) => environment.messages),
    total_consumer_groups: total((environment) => environment.consumer_groups),
    total_clients: total((environment) => environment.clients),
  };
}
