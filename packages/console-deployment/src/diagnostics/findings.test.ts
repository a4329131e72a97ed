import type { Snapshot } from '@sluice/client';
import { differencesOf, examinationsOf, type Findings } from './findings.ts';

const findings = (...checks: [title: string, status: string, finding: string][]): Findings => ({
  node: { id: 90, name: 'node-1' },
  created_at: '2026-03-14T09:26:53.589Z',
  failure: null,
  checks: checks.map(([title, status, finding]) => ({
    ...{ title, status, finding },
    ...{ meaning: '', action: null, details: [] },
  })),
});

test('only checks that came out differently are shown, those that one report has alone as well', () => {
  const before = findings(['Volume', 'ok', '20 %'], ['Clock', 'ok', 'exact'], ['Old', 'ok', 'there']);
  const after = findings(['Volume', 'warning', '91 %'], ['Clock', 'ok', 'exact'], ['New', 'ok', 'there']);
  expect(differencesOf(before, after).map(({ title }) => title)).toEqual(['Volume', 'New', 'Old']);
  expect(differencesOf(before, before)).toEqual([]);
});

test('reports of one moment are one examination, and the newest is first', () => {
  const snapshot = (id: number, created_at: string) => ({ id, created_at }) as Snapshot;
  const groups = examinationsOf([
    snapshot(1, '2026-03-14T09:00:00.000Z'),
    snapshot(3, '2026-03-15T09:00:00.000Z'),
    snapshot(2, '2026-03-14T09:00:00.000Z'),
  ]);
  expect(groups.map(({ snapshots }) => snapshots.map(({ id }) => id))).toEqual([[3], [1, 2]]);
});
