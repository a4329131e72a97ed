import { idOf, type Grant, type TenantId } from '@sluice/contracts';
import { client, eventually, publishGrant } from '@sluice/testing';
import { newContext, withContext, type RequestContext, problem } from '@sluice/service';
import { grantOf, quiet, widgetService } from '../widget-service.ts';
import { Refusals } from '@sluice/http';

const on = widgetService({ replicas: 1, environment: { GRANT_LEASE_SECONDS: '30' } });

interface Recorded {
  type: string;
  tenant_id: number;
  author: { id: number; name: string } | null;
  api_key: { id: number; name: string } | null;
  correlation_id: string;
  data: { operation: string; code: string; ids: Record<string, number>; address: string; times: number };
}

const widgets = () => on.replica().service;
const recorded = async () => {
  const { rows } = await widgets().runtime.pool.query<{ event: Recorded }>(
    'SELECT payload::jsonb AS event FROM outbox UNION ALL SELECT payload::jsonb FROM outbox_sent',
  );
  return rows
    .map(({ event }) => event)
    .sort((one, other) => widgetOf(one) - widgetOf(other) || one.data.times - other.data.times);
};
const widgetOf = ({ data: { ids } }: Recorded) => ids['widget_id'] ?? 0;

beforeEach(() => widgets().runtime.pool.query('TRUNCATE outbox, outbox_sent'));

/** A key that is known. */
async function keyOf(grant: Grant): Promise<string> {
  const token = await publishGrant(widgets().runtime, grant);
  await eventually(async () => {
    const { status } = await client(widgets().url, token).get('/tenants/1/widgets');
    if (status === 401) throw new Error('the key is not known');
  });
  return token;
}

describe('a refused request', () => {
  test('at another tenant is recorded in the own, with who, from where and what was asked for', async () => {
    const grant = grantOf();
    const answer = await client(widgets().url, await keyOf(grant)).get('/tenants/2/widgets');
    expect([answer.status, answer.body['code']]).toEqual([403, 'forbidden']);
    expect(answer.body).not.toHaveProperty('recordedAs');
    await eventually(async () =>
      expect(await recorded()).toMatchObject([
        {
          ...{ type: 'foreign_access_refused', tenant_id: 1, author: grant.user, api_key: grant.api_key },
          correlation_id: String(answer.headers.get('svc-request')).replace(
            /^(.{8})(.{4})(.{4})(.{4})(.{12})$/,
            '$1-$2-$3-$4-$5',
          ),
          data: { operation: 'listWidgets', code: 'forbidden', ids: { tenant_id: 2 }, times: 1 },
        },
      ]),
    );
  });

  test('of what is the owner alone may do, and from another address than those of the key', async () => {
    const notOwner = client(widgets().url, await keyOf({ ...grantOf(), owner: false }));
    expect((await notOwner.delete('/tenants/1')).body['code']).toBe('owner_only');
    const elsewhere = client(widgets().url, await keyOf({ ...grantOf(), allowed_ips: ['192.0.2.1'] }));
    expect((await elsewhere.get('/tenants/1/widgets')).body['code']).toBe('ip_not_allowed');
    await eventually(async () =>
      expect((await recorded()).map(({ type }) => type).sort()).toEqual([
        'client_address_refused',
        'owner_action_refused',
      ]),
    );
  });

  test('for what is wrong or lacking is nobody’s business', async () => {
    // of another key, which is told apart
    const grant = grantOf({ api_key: { id: idOf(2), name: 'other' } });
    const key = client(widgets().url, await keyOf(grant));
    expect((await key.post('/tenants/1/widgets', {})).status).toBe(400);
    expect((await client(widgets().url, 'svc_none').get('/tenants/2/widgets')).status).toBe(401);
    expect((await key.get('/tenants/2/widgets')).status).toBe(403);
    // what would have been recorded before this has been
    await eventually(async () => expect(await recorded()).toHaveLength(1));
  });
});

describe('many refusals', () => {
  const grant = grantOf();
  let refusals: Refusals<never> | undefined;
  let away = false;

  /** Those of this test, with windows that end when it says so. */
  function opened(windowMilliseconds = 3_600_000) {
    const { work } = widgets();
    const made = new Refusals({
      work: async (origin, change) => {
        if (away) throw new Error('the database is away');
        return await work(origin, change);
      },
      windowMilliseconds,
      now: () => new Date(),
      log: quiet,
    });
    refusals = made as unknown as Refusals<never>;
    return (id: number, who: Grant = grant, operation = 'getWidget') => {
      const context: RequestContext = { ...newContext(), holder: who };
      withContext(context, () =>
        made.note(
          { operation, parameters: { tenant_id: '1', widget_id: String(id) }, address: '::1' },
          problem('privilege_escalation'),
        ),
      );
    };
  }
  afterEach(async () => {
    away = false;
    await refusals?.stop();
  });
  const times = async () => (await recorded()).map((event) => [widgetOf(event), event.data.times]);

  test('of one kind are one entry at once, and one with their count', async () => {
    const note = opened();
    for (let count = 0; count < 1_000; count++) note(7);
    await eventually(async () => expect(await times()).toEqual([[7, 1]]));
    await refusals?.stop();
    expect(await times()).toEqual([
      [7, 1],
      [7, 999],
    ]);
  });

  test('of different operations are told apart, also at the same thing', async () => {
    const note = opened();
    for (const operation of ['updateWidget', 'deleteWidget', 'updateWidget']) note(7, grant, operation);
    await refusals?.stop();
    const told = (await recorded()).map(({ data }) => [data.operation, data.times]);
    expect(told.sort()).toEqual([
      ['deleteWidget', 1],
      ['updateWidget', 1],
      ['updateWidget', 1],
    ]);
  });

  test('are one entry in each window, and told apart again when all is quiet', async () => {
    const note = opened(200);
    note(7);
    note(7);
    await eventually(async () =>
      expect(await times()).toEqual([
        [7, 1],
        [7, 1],
      ]),
    );
    await eventually(async () => {
      note(7);
      // the window has ended, or is told once more
      expect((await times()).length).toBeGreaterThan(2);
    });
  });

  test('at a thousand things are twenty entries and one for the rest, and keep nobody else out', async () => {
    const note = opened();
    for (let id = 1; id <= 1_000; id++) note(id);
    note(1, { ...grant, api_key: { id: idOf(99), name: 'another' } });
    await refusals?.stop();
    const all = await times();
    expect(all).toHaveLength(23);
    expect(all.filter(([id]) => id === 0)).toEqual([
      [0, 1],
      [0, 979],
    ]);
    expect((await recorded()).filter(({ api_key }) => api_key?.id === 99)).toHaveLength(1);
  });

  test('wait while the database is away, and none is lost', async () => {
    const note = opened(200);
    away = true;
    for (const id of [1, 2, 3]) note(id);
    expect(await recorded()).toEqual([]);
    away = false;
    await eventually(async () =>
      expect(await times()).toEqual([
        [1, 1],
        [2, 1],
        [3, 1],
      ]),
    );
  });

  test('of somebody who is in no tenant belong into no log', async () => {
    const note = opened();
    note(1, { ...grant, tenant_id: idOf<TenantId>(0) });
    note(2);
    await eventually(async () => expect(await times()).toEqual([[2, 1]]));
  });
});
