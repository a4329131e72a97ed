import type { AuditEntry } from '@sluice/client';
import { authorOf, exportQueryOf, lookAfter, placeOf, queryOf, withNew } from './entries.ts';

const entry = (second: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ type: 'member_joined', name: 'Member joined', author: null, user: null, division: null },
  ...{ environment: null, deployment: null, api_key: null, data: null, correlation_id: null },
  timestamp: `2026-03-14T09:00:${String(second).padStart(2, '0')}.000Z`,
  ...more,
});

test('filters are those of the API, and an export begins behind `after`', () => {
  const filter = { q: 'ada', type: 'member_joined', person: 4, after: '2026-03-14T09:00:00.000Z' };
  expect(queryOf(filter)).toEqual({ q: 'ada', types: ['member_joined'], author: 4, after: filter.after });
  expect(exportQueryOf({ ...filter, division: 7, before: '2026-03-15T00:00:00.000Z' })).toEqual({
    types: 'member_joined',
    author: '4',
    division: '7',
    from: '2026-03-14T09:00:00.001Z',
    to: '2026-03-15T00:00:00.000Z',
  });
});

test('what is new is put where its time is, once', () => {
  const known = [entry(30), entry(20), entry(10)];
  const late = entry(25);
  const found = [entry(40), entry(30), late, entry(20)];
  expect(withNew(known, found)).toEqual([entry(40), entry(30), late, entry(20), entry(10)]);
  expect(withNew(known, [entry(30), entry(20)])).toBe(known);
  expect(withNew(known, [])).toBe(known);
  // two things of one moment are two entries
  const twin = entry(30, { type: 'member_left' });
  expect(withNew(known, [twin])).toHaveLength(4);
});

test('it is looked from before the newest on, and never before the filter', () => {
  const opened = '2026-03-14T12:00:00.000Z';
  expect(lookAfter('2026-03-14T09:05:00.000Z', {}, opened)).toBe('2026-03-14T09:03:00.000Z');
  expect(lookAfter(undefined, {}, opened)).toBe('2026-03-14T11:58:00.000Z');
  const after = '2026-03-14T09:04:00.000Z';
  expect(lookAfter('2026-03-14T09:05:00.000Z', { after }, opened)).toBe(after);
});

test('who and where are said in words', () => {
  const named = { id: 1, name: 'Ada' };
  expect(authorOf(entry(1))).toBe('The system');
  expect(authorOf(entry(1, { author: named }))).toBe('Ada');
  expect(authorOf(entry(1, { author: named, api_key: { id: 2, name: 'ci' } }))).toBe('Ada, key ci');
  expect(placeOf(entry(1))).toBe('');
  expect(placeOf(entry(1, { division: { id: 1, name: 'd' }, environment: { id: 2, name: 'e' } }))).toBe(
    'd / e',
  );
});
