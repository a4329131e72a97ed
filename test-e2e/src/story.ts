import { eventually, supervisorOf, type Stack } from '@sluice/testing';

/** Steps that several stories share, as a user of the APIs takes them. */

export interface Created {
  environmentId: number;
  deploymentId: number;
}

const ids = (headers: Headers): Created => ({
  environmentId: Number(headers.get('svc-environment')),
  deploymentId: Number(headers.get('svc-deployment')),
});

export async function createStarter(stack: Stack, cloud = 'cloud_a', more: object = {}): Promise<Created> {
  const { region } = supervisorOf(stack, cloud);
  const path = `/tenants/${stack.tenant_id}/divisions/${stack.division_id}/deployments/starter`;
  const answer = await stack.main.post(path, { cloud, region, ...more });
  if (answer.status !== 202) throw new Error(`starter: ${answer.status} ${JSON.stringify(answer.body)}`);
  return ids(answer.headers);
}

export async function createManaged(
  stack: Stack,
  environmentId: number,
  name: string,
  more: object = {},
): Promise<Created> {
  const { cloud, region } = supervisorOf(stack, 'cloud_a');
  const answer = await stack.main.post(`${deploymentsPath(stack, environmentId)}/managed`, {
    name,
    cloud,
    region,
    tier: 'small',
    cluster: 'standalone',
    ...more,
  });
  if (answer.status !== 202) throw new Error(`managed: ${answer.status} ${JSON.stringify(answer.body)}`);
  return ids(answer.headers);
}

export const deploymentsPath = ({ tenant_id, division_id }: Stack, environmentId: number) =>
  `/tenants/${tenant_id}/divisions/${division_id}/environments/${environmentId}/deployments`;

export interface SupervisorView {
  status: string;
  status_reason: string | null;
  endpoints: Record<'broker_tcp' | 'broker_http' | 'broker_websocket' | 'broker_udp', string | null>;
  nodes: { id: number; status: string }[];
}

/** Waits until both layers say that the deployment is ready. */
export async function untilInitialized(
  stack: Stack,
  { environmentId, deploymentId }: Created,
  cloud = 'cloud_a',
): Promise<SupervisorView> {
  const path = `${deploymentsPath(stack, environmentId)}/${deploymentId}`;
  return eventually(
    async () => {
      const [main, region] = await Promise.all([
        stack.main.get<{ status: string }>(path),
        stack.supervisor(cloud).get<SupervisorView>(`/deployments/${deploymentId}`),
      ]);
      expect([main.body?.status, region.body?.status]).toEqual(['initialized', 'initialized']);
      return region.body;
    },
    { timeoutMs: 45_000 },
  );
}

/** Waits until neither layer knows the deployment. */
export async function untilGone(
  stack: Stack,
  { environmentId, deploymentId }: Created,
  cloud = 'cloud_a',
): Promise<void> {
  const path = `${deploymentsPath(stack, environmentId)}/${deploymentId}`;
  await eventually(
    async () => {
      const [main, region] = await Promise.all([
        stack.main.get(path),
        stack.supervisor(cloud).get(`/deployments/${deploymentId}`),
      ]);
      expect([main.status, region.status]).toEqual([404, 404]);
    },
    { timeoutMs: 45_000 },
  );
}

export interface Entry {
  type: string;
  author: { id: number; name: string } | null;
  api_key: { id: number; name: string } | null;
  division: { id: number; name: string } | null;
  environment: { id: number; name: string } | null;
  deployment: { id: number; name: string } | null;
  correlation_id: string | null;
  data: Record<string, unknown>;
}

/** All audit entries that match `query`, oldest first. */
export async function auditEntries(stack: Stack, query: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let page = 1; ; page++) {
    const { body } = await stack.audit.get<{ items: Entry[]; total_pages: number }>(
      `/audit/tenants/${stack.tenant_id}?results=100&page=${page}&${query}`,
    );
    entries.push(...body.items);
    if (page >= body.total_pages) return entries.reverse();
  }
}
