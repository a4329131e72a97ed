import { eventually, supervisorOf, type Client, type Stack } from '@sluice/testing';

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

/** What an access rule lets through, of the protocols of brokers. */
export const tcpOnly = { broker_tcp: true, broker_http: false, broker_websocket: false, broker_udp: false };

export interface SupervisorView {
  id: number;
  status: string;
  tier: string;
  status_reason: string | null;
  endpoints: Record<'broker_tcp' | 'broker_http' | 'broker_websocket' | 'broker_udp', string | null>;
  nodes: { id: number; status: string }[];
}

/** A deployment as both layers show it. */
export interface Shown {
  main: Pick<Client, 'get'>;
  region: Pick<Client, 'get'>;
  /** at main-api */
  path: string;
  id: number;
}

const answersOf = ({ main, region, path, id }: Shown) =>
  Promise.all([main.get(path), region.get<Partial<SupervisorView>>(`/deployments/${id}`)]);

/** Waits until both layers say that a deployment runs, in the same tier. @returns what its region shows */
export async function untilRunning(shown: Shown, timeoutMs = 45_000): Promise<SupervisorView> {
  return await eventually(
    async () => {
      const [main, region] = await answersOf(shown);
      const [here, there] = [main, region].map(({ status, body }) => [status, body.status, body.tier].join());
      if (here !== there || main.body['status'] !== 'initialized')
        throw new Error(`main-api says ${here} of ${shown.id}, its region ${there}`);
      return region.body as SupervisorView;
    },
    { timeoutMs, everyMs: 100 },
  );
}

/** Waits until neither layer knows the deployment. */
export async function untilUnknown(shown: Shown, timeoutMs = 45_000): Promise<void> {
  await eventually(
    async () => {
      const statuses = (await answersOf(shown)).map(({ status }) => status);
      if (statuses.some((status) => status !== 404))
        throw new Error(`the deleted deployment ${shown.id} is ${statuses.join(' and ')}`);
    },
    { timeoutMs, everyMs: 100 },
  );
}

const shownBy = (stack: Stack, { environmentId, deploymentId: id }: Created, cloud = 'cloud_a'): Shown => ({
  main: stack.main,
  region: stack.supervisor(cloud),
  path: `${deploymentsPath(stack, environmentId)}/${id}`,
  id,
});
export const untilInitialized = (stack: Stack, created: Created, cloud?: string) =>
  untilRunning(shownBy(stack, created, cloud));
export const untilGone = (stack: Stack, created: Created, cloud?: string) =>
  untilUnknown(shownBy(stack, created, cloud));

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

/** All audit entries of a tenant that match `query`, oldest first. */
export async function auditEntries(
  { audit, tenant_id }: { audit: Client; tenant_id: number },
  query = '',
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let page = 1; ; page++) {
    const { status, body } = await audit.get<{ items: Entry[]; total_pages: number }>(
      `/audit/tenants/${tenant_id}?results=100&page=${page}${query && `&${query}`}`,
    );
    if (status !== 200) throw new Error(`the audit log is answered with ${status}`);
    entries.push(...body.items);
    if (page >= body.total_pages) return entries.reverse();
  }
}
