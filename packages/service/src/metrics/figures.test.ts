import { Registry } from 'prom-client';
import { figures } from './figures.ts';

const gauges = {
  waiting: { name: 'test_waiting', help: 'how many wait' },
  byKind: { name: 'test_by_kind', help: 'of each kind', labelNames: ['kind'] },
};
const samplesOf = async (registry: Registry) =>
  (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test('figures are read once for all gauges, and for all who ask while they are fresh', async () => {
  const registry = new Registry();
  let reads = 0;
  figures(registry, gauges, async () => {
    reads += 1;
    return { waiting: 3, byKind: [{ labels: { kind: 'a' }, value: 1 }] };
  });
  const asked = await Promise.all([samplesOf(registry), samplesOf(registry)]);
  expect(asked).toEqual([
    ['test_waiting 3', 'test_by_kind{kind="a"} 1'],
    ['test_waiting 3', 'test_by_kind{kind="a"} 1'],
  ]);
  expect(reads).toBe(1);
});

test('what cannot be read is not told, rather than what it was before, and is told again later', async () => {
  const registry = new Registry();
  let isAway = false;
  const read = async () => {
    if (isAway) throw new Error('away');
    return { waiting: 0, byKind: [{ labels: { kind: 'a' }, value: 2 }] };
  };
  figures(registry, gauges, read, 0);
  const known = ['test_waiting 0', 'test_by_kind{kind="a"} 2'];
  expect(await samplesOf(registry)).toEqual(known);
  isAway = true;
  expect(await samplesOf(registry)).toEqual([]);
  isAway = false;
  expect(await samplesOf(registry)).toEqual(known);
});

test('a label that is gone is not told any more', async () => {
  const registry = new Registry();
  const kinds = ['a', 'b'];
  const read = async () => ({
    waiting: kinds.length,
    byKind: kinds.map((kind) => ({ labels: { kind }, value: 1 })),
  });
  figures(registry, gauges, read, 0);
  expect(await samplesOf(registry)).toHaveLength(3);
  kinds.pop();
  expect(await samplesOf(registry)).toEqual(['test_waiting 1', 'test_by_kind{kind="a"} 1']);
});
