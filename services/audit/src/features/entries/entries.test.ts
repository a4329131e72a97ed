import { randomUUID } from 'node:crypto';
import { eventTypes, systemRoles } from '@sluice/contracts';
import { client } from '@sluice/testing';
import { auditService, entries, type Listing } from '#test/audit-service.ts';
import { anEvent, nameOf, record } from '#test/events.ts';

const on = auditService({ replicas: 1 });
const audit = on.replica();
let key: string;

beforeAll(async () => {
  key = await on.key();
});

describe('the entries of a tenant', () => {
  const tenant = 100;
  const request = '0b6f2a7e-54a5-4a53-9a3e-3f0a5a4f6d01';
  const at = (millisecond: number) => `2026-03-01T12:00:00.${String(millisecond).padStart(3, '0')}Z`;
  let token: string;

  beforeAll(async () => {
    token = await on.key({ tenant });
    const environment = { id: 5, name: 'sandbox' };
    const deployment = { id: 6, name: 'first' };
    const story = { tenant_id: tenant, correlation_id: request };
    await record(
      on,
      anEvent({
        ...story,
        type: 'environment_created',
        occurred_at: at(7),
        environment,
        data: { name: 'sandbox' },
      }),
      // both happened in one transaction, within the same millisecond
      anEvent({
        ...story,
        type: 'api_key_created',
        occurred_at: at(8),
        user: { id: 8, name: 'Grace' },
        data: { name: 'ci', role_id: 2 },
      }),
      anEvent({ ...story, type: 'api_key_deleted', occurred_at: at(8), data: { name: 'ci', role_id: 2 } }),
      anEvent({
        ...story,
        type: 'deployment_initialized',
        occurred_at: at(9),
        author: null,
        api_key: null,
        environment,
        deployment: { ...deployment, uid: randomUUID() },
        data: { name: 'first', code: 'ABC1234' },
      }),
    );
  });

  test('tell the story newest first, also within one millisecond', async () => {
    const { items, total_results, total_pages, page } = await entries(audit, token, '', tenant);
    expect(items.map(({ type }) => type)).toEqual([
      'deployment_initialized',
      'api_key_deleted',
      'api_key_created',
      'environment_created',
    ]);
    expect({ total_results, total_pages, page }).toEqual({ total_results: 4, total_pages: 1, page: 1 });
  });

  test('name everything as it was, the author included, and carry the request', async () => {
    const { items } = await entries(audit, token, '', tenant);
    expect(items[0]).toEqual({
      type: 'deployment_initialized',
      name: 'Deployment initialized',
      author: null,
      user: null,
      division: { id: 3, name: 'Payments' },
      environment: { id: 5, name: 'sandbox' },
      deployment: { id: 6, name: 'first' },
      api_key: null,
      data: { name: 'first', code: 'ABC1234' },
      correlation_id: request,
      timestamp: at(9),
    });
    expect(items[2]).toMatchObject({
      author: { id: 7, name: 'Ada' },
      user: { id: 8, name: 'Grace' },
      api_key: { id: 9, name: 'key' },
      environment: null,
      correlation_id: request,
      timestamp: at(8),
    });
  });

  test('are those of that tenant only', async () => {
    await record(on, anEvent({ tenant_id: tenant + 1 }));
    expect((await entries(audit, token, '', tenant)).total_results).toBe(4);
  });

  test('of a tenant without any are an empty list', async () => {
    const other = await on.key({ tenant: 199 });
    expect(await entries(audit, other, '', 199)).toEqual({
      items: [],
      page: 1,
      total_results: 0,
      total_pages: 0,
    });
  });
});

describe('pages', () => {
  const tenant = 200;
  const name = (number: number) => `n${String(number).padStart(2, '0')}`;
  let token: string;

  beforeAll(async () => {
    token = await on.key({ tenant });
    const numbers = Array.from({ length: 25 }, (_, number) => number);
    await record(
      on,
      ...numbers.map((number) => anEvent({ tenant_id: tenant, data: { name: name(number) } })),
    );
  });

  test('hold 10 entries unless asked otherwise, with links to their neighbours', async () => {
    const { body, headers } = await client(audit.url, token).get<Listing>(
      `/audit/tenants/${tenant}?page=2&author=7`,
    );
    expect(body).toMatchObject({ page: 2, total_results: 25, total_pages: 3 });
    expect(body.items.map(nameOf)).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5].map(name));
    expect(headers.get('link')).toContain(`</audit/tenants/${tenant}?page=3&author=7>; rel="next"`);
  });

  test('past the end are empty', async () => {
    for (const page of ['4', '9007199254740991']) {
      const { body } = await client(audit.url, token).get<Listing>(`/audit/tenants/${tenant}?page=${page}`);
      expect(body).toMatchObject({ items: [], total_results: 25 });
    }
  });

  test('up to a given time stay as they are while new entries come', async () => {
    const { items } = await entries(audit, token, '', tenant);
    const until = new Date(Date.parse(items[0]?.timestamp ?? '') + 1).toISOString();
    const seen: string[] = [];
    for (const page of [1, 2, 3]) {
      const path = `/audit/tenants/${tenant}?results=9&page=${page}&to=${until}`;
      seen.push(...(await client(audit.url, token).get<Listing>(path)).body.items.map(nameOf));
      await record(on, anEvent({ tenant_id: tenant, data: { name: 'new' } }));
    }
    expect(seen).toEqual(items.map(nameOf));
  });
});

describe('access', () => {
  const path = '/audit/tenants/1';
  const statusOf = async (token?: string, at = path) => (await client(audit.url, token).get(at)).status;

  test("needs a division's audit:read for what happened in that division", async () => {
    const tenant = 500;
    const inDivision = (id: number) => anEvent({ tenant_id: tenant, division: { id, name: `d${id}` } });
    await record(on, inDivision(3), inDivision(4), anEvent({ tenant_id: tenant, division: null }));
    const role = { division: ['audit:read'] };
    const bound = await on.key({ tenant, role, division: 3 });
    const { items } = await entries(audit, bound, 'division=3', tenant);
    expect(items.map(({ division }) => division)).toEqual([{ id: 3, name: 'd3' }]);
    expect((await entries(audit, bound, 'division=3&author=999', tenant)).items).toEqual([]);
    const here = `/audit/tenants/${tenant}`;
    for (const query of [
      '',
      '?division=4',
      '?division=x',
      '?division=',
      '?division=3&division=4',
      '?environment=3',
    ])
      expect([query, await statusOf(bound, here + query)]).toEqual([query, 403]);
    const everywhere = await on.key({ tenant, role });
    expect((await entries(audit, everywhere, 'division=4', tenant)).items).toHaveLength(1);
    expect(await statusOf(everywhere, here)).toBe(403);
    const without = await on.key({ tenant, role: { ...role, divisions: { 3: { permissions: [] } } } });
    expect(await statusOf(without, `${here}?division=3`)).toBe(403);
  });

  test('to the types is for callers who may read some log', async () => {
    const types = '/audit/types';
    for (const role of [{}, systemRoles.developer, { environment: ['deployment:manage'] }])
      expect(await statusOf(await on.key({ role }), types)).toBe(403);
    const somewhere = { divisions: { 8: { permissions: ['audit:read'] } } };
    for (const role of [{ tenant: ['audit:read'] }, { division: ['audit:read'] }, somewhere])
      expect(await statusOf(await on.key({ role }), types)).toBe(200);
    const { body } = await client(audit.url, key).get<{ type: string; name: string }[]>(types);
    const audited = Object.entries(eventTypes).filter(([, { audit }]) => audit);
    expect(body).toEqual(audited.map(([type, { name }]) => ({ type, name })));
    expect(body).toContainEqual({ type: 'access_rule_added', name: 'Access rule added' });
  });
});
