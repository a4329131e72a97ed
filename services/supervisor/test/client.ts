import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import { client, connectBroker, eventually, type Answer, type Login } from '@sluice/testing';
import type { components } from '../src/generated/api.ts';

export type Deployment = components['schemas']['LiveDeployment'];

/** Calls an address of an API with a key. */
export async function call(
  url: string,
  key: string | undefined,
  { method = 'GET', body }: { method?: string; body?: unknown } = {},
): Promise<Answer<unknown>> {
  return await client(url, key).request<unknown>(method, '', body);
}

/** Waits until the deployment has this status and answers it. */
export async function untilStatus(
  url: string,
  key: string,
  id: number,
  status: Deployment['status'],
  timeoutMs = 60_000,
): Promise<Deployment> {
  const look = async () => {
    const answer = await client(url, key).get<Deployment>(`/deployments/${id}`);
    const { status: is, status_reason: reason } = answer.body;
    expect({ status: answer.status, is, reason }).toMatchObject({ status: 200, is: status });
    return answer.body;
  };
  return await eventually(look, { timeoutMs });
}

/** Waits until the Supervisor API knows nothing of the deployment any more. */
export async function untilGone(url: string, key: string, id: number, timeoutMs = 60_000): Promise<void> {
  const look = async () => expect((await call(`${url}/deployments/${id}`, key)).status).toBe(404);
  await eventually(look, { timeoutMs });
}

/** Connects the stock client to a deployment with the login of the API. */
export async function connectTo(
  url: string,
  key: string,
  deployment: Deployment,
  options?: ConnectionOptions,
): Promise<NatsConnection> {
  const { body } = await client(url, key).get<Login>(`/deployments/${deployment.id}/credentials`);
  return await connectBroker(deployment.endpoints.broker_tcp, body, options);
}
