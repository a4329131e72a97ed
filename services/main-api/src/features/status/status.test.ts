import { runAdmin } from '@sluice/admin';
import { client, eventually } from '@sluice/testing';
import { mainApi } from '#test/main-api.ts';

let time = 0;
const on = mainApi({ replicas: 1, clock: () => new Date(Date.now() + time) });
const region = on.region();
const a = on.tenants();
afterEach(() => (time = 0));

const admin = (...args: string[]) => runAdmin(['incident', ...args], on.environment);
const place = 'cloud_a/us-east-1';

interface Status {
  status: string;
  regions: { region: string; name: string; status: string; since: string }[];
  incidents: {
    id: number;
    title: string;
    regions: object[];
    resolved_at: string | null;
    updates: { message: string }[];
  }[];
}
const status = () => client(on.replica().url).get<Status>('/status');
/** once the answer that is kept is over */
const untilShown = (wanted: object) =>
  eventually(async () => expect((await status()).body).toMatchObject(wanted), { timeoutMs: 20_000 });
const resolveAll = async () => {
  for (const { id } of await on.sql<{ id: number }>('SELECT id FROM incidents WHERE resolved_at IS NULL'))
    await admin('resolve', String(id), '--message', 'over');
};

test('an incident is told of, is in the audit logs of those it concerns, and ends', async () => {
  const overrides = { overrides: { deployment_tiers: [{ tier: 'free' as const, limit: 2 }] } };
  const [acme, other] = [await a.tenant(overrides), await a.tenant()];
  await acme.starter();
  await untilShown({ status: 'operational', regions: [{ name: 'US East 1', status: 'operational' }] });
  const before = (await status()).body.regions[0]!.since;

  const opened = await admin('open', 'Slow', '--region', place, '--region', place, '--message', 'We look.');
  const [, id = ''] = /^Incident (\d+) is open for cloud_a\/us-east-1\.$/.exec(opened) ?? [];
  await untilShown({
    status: 'degraded',
    regions: [{ region: 'us-east-1', status: 'degraded' }],
    incidents: [
      {
        ...{ id: Number(id), title: 'Slow', impact: 'degraded', resolved_at: null },
        regions: [{ cloud: 'cloud_a', region: 'us-east-1' }],
        updates: [{ kind: 'opened', impact: 'degraded', message: 'We look.' }],
      },
    ],
  });
  expect(Date.parse((await status()).body.regions[0]!.since)).toBeGreaterThan(Date.parse(before));

  await admin('update', id, '--impact', 'outage', '--message', 'Worse.\nMuch worse.');
  // it is the only region
  await untilShown({ status: 'outage', regions: [{ status: 'outage' }], incidents: [{ impact: 'outage' }] });
  await admin('resolve', id, '--message', 'It was a cable.');
  await untilShown({ status: 'operational', regions: [{ status: 'operational' }] });
  const [incident] = (await status()).body.incidents;
  expect(incident?.resolved_at).not.toBeNull();
  expect(incident?.updates.map(({ message }) => message)).toEqual([
    'We look.',
    'Worse.\nMuch worse.',
    'It was a cable.',
  ]);
  for (const [type, message] of [
    ['incident_opened', 'We look.'],
    ['incident_updated', 'Worse.\nMuch worse.'],
    ['incident_resolved', 'It was a cable.'],
  ] as const) {
    await eventually(() =>
      expect(region.eventsOf(type, { tenant_id: acme.id })).toMatchObject([
        { author: null, data: { incident_id: Number(id), title: 'Slow', message } },
      ]),
    );
    expect(region.eventsOf(type, { tenant_id: other.id })).toEqual([]);
  }
  await expect(admin('update', id, '--message', 'x')).rejects.toThrow(`Incident ${id} is resolved since`);
  expect(await admin('list')).toMatch(
    new RegExp(`^${id} +resolved +outage +cloud_a/us-east-1 .* Slow$`, 'm'),
  );
});

test('one without regions is of the whole installation', async () => {
  expect(await admin('open', 'All is slow', '--message', 'm')).toContain(
    'is open for the whole installation',
  );
  await untilShown({
    ...{ status: 'degraded', regions: [{ status: 'operational' }] },
    incidents: expect.arrayContaining([
      expect.objectContaining({ title: 'All is slow', regions: [] }),
    ]) as unknown[],
  });
  await admin('open', 'Nothing works', '--impact', 'outage', '--message', 'm');
  await untilShown({ status: 'outage', regions: [{ status: 'operational' }] });
  await resolveAll();
});

test('a dry run tells nobody', async () => {
  expect(await admin('open', 't', '--region', place, '--message', 'm', '--dry-run')).toContain(
    'would be open',
  );
  expect(await on.sql("SELECT FROM incidents WHERE title = 't'")).toEqual([]);
  await expect(admin('open', 't', '--region', 'cloud_b/nowhere', '--message', 'm')).rejects.toThrow(
    'There is no region cloud_b/nowhere.',
  );
  await expect(admin('resolve', '999999', '--message', 'm')).rejects.toThrow('There is no incident 999999.');
});

test('a region that does not report any more is silent, and its installation not well', async () => {
  time = 31 * 60_000;
  await untilShown({ regions: [{ status: 'silent' }], status: 'outage' });
  time = 0;
  await untilShown({ regions: [{ status: 'operational' }], status: 'operational' });
}, 60_000);

test('it is for everybody, may be kept for a moment, and is read once for all that ask', async () => {
  const answer = await status();
  expect(answer.headers.get('cache-control')).toBe('public, max-age=15');
  await on.sql(`INSERT INTO incidents (title, impact, opened_at, resolved_at)
    SELECT 'old', 'degraded', now() - interval '20 days', now() - interval '15 days' FROM generate_series(1, 10)`);
  await on.sql(`WITH added AS (
      INSERT INTO incidents (title, impact, resolved_at) SELECT 'many', 'degraded', now() FROM generate_series(1, 60) RETURNING id)
    INSERT INTO incident_updates (incident_id, kind, impact, message, recorded)
    SELECT id, 'updated', 'degraded', n::text, true FROM added, generate_series(1, 60) AS n`);
  await eventually(
    async () => {
      const { incidents } = (await status()).body;
      expect(incidents).toHaveLength(50);
      expect(incidents.some(({ title }) => title === 'old')).toBe(false);
      expect(incidents[0]?.updates.map(({ message }) => message).at(-1)).toBe('60');
      expect(incidents[0]?.updates).toHaveLength(50);
    },
    { timeoutMs: 20_000 },
  );
});
