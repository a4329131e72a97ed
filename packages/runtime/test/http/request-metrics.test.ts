import { request } from 'node:http';
import { tokenHash } from '@sluice/contracts';
import { aGrant, client, eventually, metricsOf, publishGrant } from '@sluice/testing';
import { widgetService } from '../widget-service.ts';

// a busy machine must not cost the lease on the grants
const on = widgetService({ replicas: 1, environment: { GRANT_LEASE_SECONDS: '4' } });

/** The lines of a metric that have this operation, without what all of them have in common. */
async function told(metric: string, operation: string): Promise<string[]> {
  const text = await metricsOf(on.replica().url);
  const begin = `${metric}{service="main-api",operation="${operation}",`;
  return text.split('\n').flatMap((line) => (line.startsWith(begin) ? line.slice(begin.length) : []));
}
const counted = (operation: string) => told('sluice_http_requests_total', operation);

test('requests are counted by operation, status and code, whatever their path', async () => {
  const token = await publishGrant(on, aGrant());
  const { grants } = on.replica().service.runtime;
  await eventually(async () => expect(await grants.find(tokenHash(token))).toBeDefined());
  const api = client(on.replica().url, token);
  await api.post('/tenants/1/widgets', { name: 'one' });
  await api.post('/tenants/1/widgets', { name: 'limit' });
  await api.post('/tenants/1/widgets', { name: 'away' });
  await api.post('/tenants/2/widgets', { name: 'two' });
  await client(on.replica().url).post('/tenants/3/widgets', { name: 'three' });
  await eventually(async () =>
    expect((await counted('createWidget')).sort()).toEqual([
      'status="201",code=""} 1',
      'status="401",code="unauthenticated"} 1',
      'status="403",code="forbidden"} 1',
      'status="409",code="limit_reached"} 1',
      'status="503",code="unavailable"} 1',
    ]),
  );
  const durations = await told('sluice_http_request_seconds_count', 'createWidget');
  expect(durations.sort()).toEqual(['status="2xx"} 1', 'status="4xx"} 3', 'status="5xx"} 1']);
});

test('whatever is no operation has one label, and what every service has its path', async () => {
  const visitor = client(on.replica().url);
  const linesBefore = (await metricsOf(on.replica().url)).split('\n').length;
  for (let i = 0; i < 50; i++) await visitor.get(`/${'x'.repeat(i + 1)}?y=${i}`);
  await visitor.request('PATCH', '/tenants/1/widgets');
  await visitor.get('/healthz');
  await eventually(async () =>
    expect(await counted('none')).toEqual([
      'status="404",code="unknown_path"} 50',
      'status="405",code="method_not_allowed"} 1',
    ]),
  );
  expect(await counted('/healthz')).toEqual(['status="200",code=""} 1']);
  const lines = (await metricsOf(on.replica().url)).split('\n').length;
  // three more operations with a histogram of 15 lines for each class of status
  expect(lines - linesBefore).toBeLessThan(3 * 20);
});

test('who is still waiting is in flight, and who goes away is counted as gone', async () => {
  const { url } = on.replica();
  const inFlight = async () =>
    Number(/^sluice_http_requests_in_flight\{service="main-api"\} (\d+)$/m.exec(await metricsOf(url))?.[1]);
  // the question itself is one
  await eventually(async () => expect(await inFlight()).toBe(1));
  const headers = { 'content-type': 'application/json', 'content-length': '9' };
  const unfinished = request(`${url}/greetings`, { method: 'POST', headers }).on('error', () => undefined);
  unfinished.flushHeaders();
  await eventually(async () => expect(await inFlight()).toBe(2));
  unfinished.destroy();
  await eventually(async () =>
    expect(await counted('greet')).toEqual([expect.stringMatching(/^status="499"/)]),
  );
  await eventually(async () => expect(await inFlight()).toBe(1));
});

test('an instance tells of its grants, and that it has no lease once NATS is away', async () => {
  const told = async () => {
    const text = await metricsOf(on.replica().url);
    const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    const [grants, lag, lease] = ['grants', 'grants_lag', 'grants_lease_seconds'].map((name) =>
      value(`sluice_${name}`),
    );
    return { grants, lag, isLeased: (lease ?? 0) > 0 };
  };
  await publishGrant(on, aGrant());
  await eventually(async () => expect(await told()).toMatchObject({ lag: 0, isLeased: true }));
  expect((await told()).grants).toBeGreaterThan(0);
  await on.deleteNamespace();
  await eventually(async () => expect(await told()).toMatchObject({ isLeased: false }));
});
