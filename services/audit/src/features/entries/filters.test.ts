import { randomUUID } from 'node:crypto';
import { client } from '@sluice/testing';
import { auditService, entries } from '#test/audit-service.ts';
import { anEvent, nameOf, record } from '#test/events.ts';

const on = auditService({ replicas: 1 });
const audit = on.replica();

describe('a filter', () => {
  const tenant = 300;
  const request = '6f9619ff-8b86-4011-b42d-00c04fc964ff';
  const second = (number: number) => `2026-04-01T00:00:0${number}.000Z`;
  let token: string;

  beforeAll(async () => {
    token = await on.key({ tenant });
    const name = (number: number) => ({
      data: { name: String(number) },
      occurred_at: second(number),
      tenant_id: tenant,
    });
    await record(
      on,
      anEvent({ ...name(1), author: { id: 21, name: 'Ada' }, division: { id: 31, name: 'd' } }),
      anEvent({ ...name(2), user: { id: 21, name: 'Ada' }, division: { id: 32, name: 'd' } }),
      anEvent({
        ...name(3),
        environment: { id: 41, name: 'e' },
        deployment: { id: 51, name: 'x', uid: randomUUID() },
      }),
      anEvent({ ...name(4), environment: { id: 42, name: 'e' }, type: 'environment_created' }),
      anEvent({
        ...name(5),
        author: { id: 21, name: 'Ada L.' },
        type: 'tenant_created',
        correlation_id: request,
      }),
    );
  });

  const matching = async (query: string) =>
    (await entries(audit, token, query, tenant)).items.map((entry) => Number(nameOf(entry)));

  test.each([
    ['author=21', [5, 1]],
    ['user=21', [2]],
    ['division=32', [2]],
    ['environment=41', [3]],
    ['deployment=51', [3]],
    ['types=tenant_created', [5]],
    ['types=environment_created,tenant_created', [5, 4]],
    ['types=environment_created%2Ctenant_created', [5, 4]],
    [`correlation_id=${request}`, [5]],
    [`correlation_id=${request.toUpperCase()}`, [5]],
    ['author=404', []],
  ])('%s lists its entries only', async (query, expected) => {
    expect(await matching(query)).toEqual(expected);
  });

  test.each([
    [`from=${second(4)}`, [5, 4]],
    [`to=${second(2)}`, [1]],
    [`from=${second(2)}&to=${second(4)}`, [3, 2]],
    [`from=${second(2)}&to=${second(2)}`, []],
    ['from=2026-04-01T02:00:04%2B02:00', [5, 4]],
    ['from=2026-03-31T19:00:04-05:00', [5, 4]],
    [`from=${encodeURIComponent(second(4))}`, [5, 4]],
    // just after 4
    ['from=2026-04-01T00:00:04.000000001Z', [5]],
    ['to=2026-04-01T00:00:02.000001Z', [2, 1]],
    ['from=2026-04-01', [5, 4, 3, 2, 1]],
    ['to=2026-04-01', []],
    [`after=${second(4)}`, [5]],
    [`before=${second(2)}`, [1]],
    [`after=${second(2)}&before=${second(4)}`, [3]],
    // neither of both is included, however exactly it is said
    ['after=2026-04-01T00:00:03.999999Z', [5, 4]],
    ['after=2026-04-01T00:00:03.999Z', [5, 4]],
    ['after=2026-04-01T00:00:04.000000001Z', [5]],
    ['before=2026-04-01T00:00:02.000001Z', [2, 1]],
    // with others the narrowest counts
    [`from=${second(2)}&after=${second(3)}&to=${second(5)}&before=${second(9)}`, [4]],
    [`from=${second(4)}&after=${second(1)}&to=${second(9)}&before=${second(5)}`, [4]],
    [`after=${second(4)}&before=${second(2)}`, []],
    ['from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59Z', [5, 4, 3, 2, 1]],
  ])('%s: from is included, to is not', async (query, expected) => {
    expect(await matching(query)).toEqual(expected);
  });

  test('with others lists what satisfies all of them', async () => {
    expect(await matching('author=21&types=division_created,tenant_created')).toEqual([5, 1]);
    expect(await matching(`author=21&from=${second(2)}`)).toEqual([5]);
    expect(await matching('environment=41&deployment=52')).toEqual([]);
  });

  test('by an id that cannot exist finds nothing', async () => {
    for (const id of ['0', '9007199254740993', '9223372036854775807']) {
      for (const subject of ['author', 'user', 'division', 'environment', 'deployment'])
        expect(await matching(`${subject}=${id}`)).toEqual([]);
    }
  });

  test.each([
    ['from=yesterday', 'from'],
    ['from=2026-04-01T00:00:00', 'from'],
    ['from=2026-02-30T00:00:00Z', 'from'],
    ['from=2026-12-31T23:59:60Z', 'from'],
    ['to=2026-04-01t00:00:00z', 'to'],
    ['to=2026-04-01T00:00:00%2B25:00', 'to'],
    ['to=2026-04-01T00:00:00+02:00', 'to'],
    ['to=', 'to'],
    [`from=${second(2)}&to=${second(1)}`, 'from'],
    [`from=${second(2)}&from=${second(1)}`, 'from'],
    ['from=2026-02-30', 'from'],
    ['from=2026-4-1', 'from'],
    ['after=yesterday', 'after'],
    ['before=2026-02-30', 'before'],
    ['q=', 'q'],
    ['q=%20-%20', 'q'],
    [`q=${'x'.repeat(201)}`, 'q'],
    ['author=99999999999999999999', 'author'],
    ['author=1e3', 'author'],
    ['author=ada', 'author'],
    ['author=-1', 'author'],
    ['user=1.5', 'user'],
    ['division=', 'division'],
    ['deployment=1&deployment=2', 'deployment'],
    ['types=', 'types'],
    ['types=tenant_created,', 'types'],
    ['types=tenant_created,,division_created', 'types'],
    ['types=tenant_created,no_such_type', 'types'],
    ['types=toString', 'types'],
    ['correlation_id=1', 'correlation_id'],
    ['page=0', 'page'],
    ['results=101', 'results'],
    ['autor=1', 'autor'],
  ])('%s is refused and named', async (query, parameter) => {
    const { status, body } = await client(audit.url, token).get<{
      code: string;
      field_issues: { path: string; message: string }[];
    }>(`/audit/tenants/${tenant}?${query}`);
    expect({ status, paths: body.field_issues?.map(({ path }) => path) }).toEqual({
      status: 400,
      paths: [`/query/${parameter}`],
    });
  });
});
