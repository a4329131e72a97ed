import { prune } from '../src/plan/prune.ts';
import { organization, shown, wanted } from './fixtures/given.ts';

const made = (kind: 'division' | 'environment' | 'deployment', place: string, more: object = {}) => ({
  kind,
  place,
  set: 'shop',
  ...more,
});

/** What is pruned where payments/dev alone is wanted. */
async function pruned(entries: Parameters<typeof organization>, named: string[] = [], messages = 0) {
  const { entries: asked } = await wanted(
    'set: shop\ndivisions: [{ name: payments, environments: [{ name: dev }] }]',
  );
  const all = organization(made('division', 'payments'), made('environment', 'payments/dev'), ...entries);
  const messagesIn = () => Promise.resolve(messages);
  const { steps, notes } = await prune(asked, all.entries, { set: 'shop', named, messagesIn });
  return { deleted: shown(steps).map(({ place }) => place), notes };
}

test('only what the set has made goes', async () => {
  const foreign = { kind: 'environment' as const, place: 'payments/other' };
  expect(
    await pruned([made('environment', 'payments/old'), foreign, made('division', 'x', { set: 'y' })]),
  ).toEqual({
    deleted: ['payments/old'],
    notes: [],
  });
});

test('what is protected stays with what it is in, unless it is named', async () => {
  const given = [made('division', 'old'), made('environment', 'old/live', { fields: { protected: true } })];
  const { deleted, notes } = await pruned(given);
  expect({ deleted, notes }).toMatchObject({
    deleted: [],
    notes: [/protected/, /old\/live is in it/].map(matching),
  });
  expect(await pruned(given, ['old/live'])).toMatchObject({ deleted: ['old', 'old/live'] });
});

test('a deployment that stores messages stays, unless it is named', async () => {
  const given = [made('environment', 'payments/old'), made('deployment', 'payments/old/orders')];
  expect(await pruned(given, [], 3)).toMatchObject({
    deleted: [],
    notes: [matching(/3 messages/), matching(/is in it/)],
  });
  expect(await pruned(given, ['orders'], 3)).toMatchObject({
    deleted: ['payments/old', 'payments/old/orders'],
  });
  expect(await pruned(given, [], 0)).toMatchObject({ deleted: ['payments/old', 'payments/old/orders'] });
});

test('rules of a deployment that stays are not touched', async () => {
  const rule = { kind: 'access rule' as const, place: 'payments/old/orders: office', set: 'shop' };
  const given = [made('environment', 'payments/old'), made('deployment', 'payments/old/orders'), rule];
  expect((await pruned(given, [], 3)).deleted).toEqual([]);
});

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
