import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { newApiToken, tokenHash, type Grant } from '@sluice/contracts';
import { client, eventually, newestGrant, publishGrant, whileLocked, type Answer } from '@sluice/testing';
import { grantOf, widgetService, type WidgetService } from '../widget-service.ts';
import { inTransaction, type Sql, newContext } from '@sluice/service';
import { callerOf, GrantLeases } from '@sluice/grants';

const leaseSeconds = 2;
const on = widgetService({
  environment: { GRANT_LEASE_SECONDS: String(leaseSeconds), DATABASE_TENANT_CONNECTIONS: '8' },
});
let widgets: WidgetService;
let leases: GrantLeases;
on.onOpen(async () => {
  widgets = await on.widgets();
  leases = new GrantLeases(on.nats, on.topology, leaseSeconds);
  await leases.open();
  on.onClose(() => leases.close());
});

/** Publishes a change of rights and waits until it is in force, as main-api does before it answers. */
async function inForce(grant: Grant | null, token: string): Promise<void> {
  await publishGrant(on, grant, token);
  await leases.waitUntilApplied(await newestGrant(on));
}

async function newKey(): Promise<string> {
  const token = newApiToken();
  await inForce(grantOf(), token);
  return token;
}

const widgetsNamed = async (name: string) =>
  (await on.sql('SELECT 1 FROM widgets WHERE name = $1', [name])).length;

/** Begins a request that makes a widget; its body is sent when the answer is asked for. */
function beginPost(token: string, name: string): () => Promise<{ status: number; body: string }> {
  const body = JSON.stringify({ name });
  const sent = request(`${widgets.url}/tenants/1/widgets`, {
    method: 'POST',
    headers: {
      'svc-api-key': token,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  sent.flushHeaders();
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => {
      void text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }));
    });
  });
  return () => {
    sent.end(body);
    return answered;
  };
}

/** Has requests that make widgets wait for a lock until the grant of their key is another one. */
async function waitedFor(token: string, names: readonly string[], grant: Grant | null): Promise<Answer[]> {
  const waiting = await whileLocked(on.databaseUrl, 'LOCK TABLE widgets IN SHARE MODE', async () => {
    const answers = names.map((name) => client(widgets.url, token).post('/tenants/1/widgets', { name }));
    const locks =
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await eventually(async () => expect(await on.sql(locks)).toHaveLength(names.length));
    await inForce(grant, token);
    return answers;
  });
  return await Promise.all(waiting);
}

describe('a right that is taken away', () => {
  test('gives nothing to a request whose body comes afterwards', async () => {
    const token = await newKey();
    const sendBody = beginPost(token, 'late');
    await delay(200);
    await inForce(null, token);
    expect((await sendBody()).status).toBe(401);
    expect(await widgetsNamed('late')).toBe(0);
  });

  test('and given otherwise counts as it is when the body has come', async () => {
    const token = await newKey();
    const sendBody = beginPost(token, 'weak');
    await delay(200);
    await inForce(grantOf({ permissions: { t: 0, d: 0, e: 0, divisions: {} } }), token);
    expect((await sendBody()).status).toBe(403);
    expect(await widgetsNamed('weak')).toBe(0);
  });

  test('gives nothing to requests that waited for a lock, and is not waited for', async () => {
    const token = await newKey();
    const names = Array.from({ length: 8 }, (_, i) => `w${i}`);
    for (const { status } of await waitedFor(token, names, null)) expect(status).toBe(401);
    for (let i = 0; i < 8; i++) expect(await widgetsNamed(`w${i}`)).toBe(0);
  });

  test('is still there when only its form was changed: the request begins again', async () => {
    const token = await newKey();
    const [answer] = await waitedFor(token, ['again'], grantOf({ owner: true }));
    expect(answer?.status).toBe(201);
    expect(await widgetsNamed('again')).toBe(1);
  });
});

test('a process that stops before its commit leaves no effect behind', async () => {
  const token = await newKey();
  const { pool, grants } = widgets.runtime;
  const held = await grants.find(tokenHash(token));
  const right = { name: tokenHash(token), revision: held?.revision ?? 0 };
  // between the last check and the commit nothing is heard of it, as when it is frozen
  const work = widgets.runtime.unitOfWork<Sql>((run) =>
    inTransaction(pool, async (sql) => {
      const outcome = await run(sql);
      await delay(grants.commitMilliseconds * 2);
      return outcome;
    }),
  );
  const caller = callerOf(grantOf(), newContext(), { right });
  await expect(
    work(caller, (tx) => tx.query("INSERT INTO widgets (name) VALUES ('frozen')")),
  ).rejects.toThrow();
  expect(await widgetsNamed('frozen')).toBe(0);
});
