import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { client, eventually } from '@sluice/testing';
import { widgetService } from '../widget-service.ts';

const on = widgetService({ replicas: 1 });

/** One answer over the agent's connection, and whether the connection ends with it. */
async function ask(url: string, path: string, agent: Agent): Promise<{ status: number; last: boolean }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; last: boolean }>();
  request(`${url}${path}`, { agent }, (response) => {
    const { statusCode: status = 0, headers } = response;
    text(response).then(() => resolve({ status, last: headers.connection === 'close' }), reject);
  })
    .on('error', reject)
    .end();
  return promise;
}

test('a service that is told to stop answers on, is not ready, and lets go of each connection with its next answer', async () => {
  const { url, service } = await on.start({ SHUTDOWN_DELAY_SECONDS: '3' });
  const [kept, other] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
  expect(await ask(url, '/healthz', kept)).toEqual({ status: 200, last: false });
  const begunBefore = ask(url, '/failures/slow', other);
  await eventually(() => expect(Object.keys(other.sockets)).toHaveLength(1));
  await ask(url, '/healthz', kept);

  let stopped = false;
  const stopping = service.stop().then(() => (stopped = true));
  const asked = [ask(url, '/readyz', kept), ask(url, '/healthz', new Agent()), begunBefore];
  expect(await Promise.all(asked)).toEqual([
    { status: 503, last: true },
    { status: 200, last: true },
    { status: 409, last: true },
  ]);
  expect(stopped).toBe(false);
  await stopping;
  await expect(client(url).get('/healthz')).rejects.toThrow();
});

test('clients that go elsewhere when they are told so see no failed request while a replica is replaced', async () => {
  const leaving = await on.start({ SHUTDOWN_DELAY_SECONDS: '2' });
  let ended = false;
  const statuses = new Set<number>();
  const worker = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let { url } = leaving; !ended;) {
      const { status, last } = await ask(url, '/healthz', agent);
      statuses.add(status);
      if (last) ({ url } = on.replica());
    }
    agent.destroy();
  };
  const working = Promise.all([worker(), worker(), worker(), worker()]);
  await leaving.stop();
  ended = true;
  await working;
  expect([...statuses]).toEqual([200]);
});
