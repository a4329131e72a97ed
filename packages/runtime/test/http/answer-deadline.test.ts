import { tokenHash } from '@sluice/contracts';
import { client, eventually, publishGrant, whileLocked } from '@sluice/testing';
import { grantOf, widgetService, type WidgetService } from '../widget-service.ts';

const on = widgetService({
  environment: { REQUEST_DEADLINE_SECONDS: '0.5', DATABASE_LOCK_SECONDS: '20', GRANT_LEASE_SECONDS: '30' },
});
let widgets: WidgetService;
let key: string;

on.onOpen(async () => {
  widgets = await on.widgets();
  key = await publishGrant(widgets.runtime, grantOf());
  await eventually(async () => expect(await widgets.runtime.grants.find(tokenHash(key))).toBeDefined());
});

const create = (name: string) =>
  client(widgets.url, key).request('POST', '/tenants/1/widgets', { name }, { 'idempotency-key': name });
const named = async (name: string) => {
  const { rows } = await widgets.runtime.pool.query('SELECT 1 FROM widgets WHERE name = $1', [name]);
  return rows.length;
};

test('a request that takes too long is 504, and takes no effect afterwards', async () => {
  await whileLocked(on.databaseUrl, 'LOCK TABLE widgets IN SHARE MODE', async () => {
    const { status, body } = await create('late');
    expect([status, body['code'], body['retryable']]).toEqual([504, 'deadline_exceeded', true]);
    // while the first is still running, the same key does not start it a second time
    expect((await create('late')).body['code']).toBe('idempotent_request_in_progress');
  });
  // the first has ended once its key is free: it has left nothing behind
  await eventually(async () => {
    const { rows } = await widgets.runtime.pool.query('SELECT 1 FROM idempotent_requests WHERE key = $1', [
      'late',
    ]);
    expect(rows).toEqual([]);
  });
  expect(await named('late')).toBe(0);
  expect((await create('late')).status).toBe(201);
  expect(await named('late')).toBe(1);
});

test('requests in time are not touched by the deadline of another', async () => {
  const slow = client(widgets.url).get('/failures/slow');
  expect((await create('other')).status).toBe(201);
  expect((await slow).status).toBe(504);
});

test('a stream that comes after the deadline is let go', async () => {
  expect((await client(widgets.url).get('/failures/stream')).status).toBe(504);
  await eventually(async () => expect(await named('let go')).toBe(1));
});
