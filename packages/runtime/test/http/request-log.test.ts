import { client, collectedLog, eventually, publishGrant } from '@sluice/testing';
import { readConfig, signingServiceEnvironment } from '@sluice/service';
import { grantOf, serveWidgets, widgetService } from '../widget-service.ts';

const on = widgetService({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });

test('the log tells of each request who made it, from where, and why it was refused', async () => {
  const { log, lines } = collectedLog();
  const { service } = await on.start({}, (environment) =>
    serveWidgets(readConfig(signingServiceEnvironment, environment), log),
  );
  const grant = grantOf();
  const token = await publishGrant(service.runtime, grant);
  const get = (path: string, key?: string) =>
    client(service.url, key).request('GET', path, undefined, { 'x-forwarded-for': '192.0.2.7' });
  await eventually(async () => expect((await get('/tenants/1/widgets', token)).status).toBe(200));

  const told = async (path: string, key?: string) => {
    const { status } = await get(path, key);
    return await eventually(() => {
      const line = lines.find((each) => each['path'] === path && each['status'] === status);
      if (!line) throw new Error('not logged yet');
      return line;
    });
  };
  const who = { tenant: 1, user: grant.user.id, key: grant.api_key?.id, from: '192.0.2.7' };
  const fine = await told('/tenants/1/widgets', token);
  expect(fine).toMatchObject({ ...who, status: 200 });
  expect(fine).not.toHaveProperty('code');
  expect(await told('/tenants/2/widgets', token)).toMatchObject({ ...who, status: 403, code: 'forbidden' });
  const stranger = await told('/tenants/1/widgets');
  expect(stranger).toMatchObject({ from: '192.0.2.7', status: 401, code: 'unauthenticated' });
  expect(stranger).not.toHaveProperty('user');
  expect(JSON.stringify(lines)).not.toContain(token);

  // probes are answered, and logged where they fail
  for (const probe of ['/healthz', '/readyz', '/metrics']) expect((await get(probe)).status).toBe(200);
  expect((await get('/nowhere')).status).toBe(404);
  await told('/nowhere');
  const probes = lines.filter(({ path }) => /^\/(healthz|readyz|metrics)$/.test(String(path)));
  expect(probes.filter(({ status }) => status === 200)).toEqual([]);
});
