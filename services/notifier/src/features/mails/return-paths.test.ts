import { randomBytes, randomUUID } from 'node:crypto';
import { idOf } from '@sluice/contracts';
import fc from 'fast-check';
import { longestLocalPart } from '../../config.ts';
import { returnPaths, type MailRef } from './return-paths.ts';

const sentAt = new Date('2026-11-23T10:00:00Z');
const key = (id: string) => [id, new Uint8Array(randomBytes(32))] as const;
const [former, newest] = [key('former'), key('newest')];
const at = (days: number) => new Date(sentAt.getTime() + days * 86_400_000);
const paths = (keys = [newest], now = sentAt, address = 'bounces@mail.sluice.example') =>
  returnPaths({ keys: new Map(keys), address, now: () => now });

const mailRef = fc.oneof(
  fc.uuid().map((id): MailRef => ({ kind: 'mail', id })),
  fc
    .integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
    .map((id): MailRef => ({ kind: 'notification', id: idOf(id) })),
);

test('a return path leads back to its mail, in upper and lower case', () => {
  const property = fc.property(mailRef, (mail) => {
    const path = paths().of(mail);
    expect(path).toMatch(/^bounces\+[a-z2-7]+@mail\.sluice\.example$/);
    for (const come of [path, path.toUpperCase(), path.replace('mail.', 'MAIL.')])
      expect(paths().read(come)).toEqual({ ...mail, sentAt });
  });
  fc.assert(property, { numRuns: 100 });
});

test('its local part is no longer than one may be', () => {
  const address = `${'b'.repeat(longestLocalPart)}@mail.sluice.example`;
  const [local = ''] = paths([newest], sentAt, address).of({ kind: 'mail', id: randomUUID() }).split('@');
  expect(local).toHaveLength(64);
});

test('a path with another character leads to no mail', () => {
  const path = paths().of({ kind: 'notification', id: idOf(7) });
  const [begin, end] = [path.indexOf('+') + 1, path.indexOf('@')];
  for (let place = begin; place < end; place++)
    for (const other of 'a7q')
      if (path[place] !== other)
        expect(paths().read(path.slice(0, place) + other + path.slice(place + 1))).toBeUndefined();
  for (const text of [
    'bounces@mail.sluice.example',
    path.replace('+', ''),
    path.slice(0, end),
    `${path}@`,
    '',
  ])
    expect(paths().read(text)).toBeUndefined();
});

test('one that was made with a former key holds while that is among the keys', () => {
  const path = paths([former]).of({ kind: 'mail', id: randomUUID() });
  expect(paths([newest, former]).read(path)).toBeDefined();
  expect(paths([newest]).read(path)).toBeUndefined();
});

test('it holds for two weeks', () => {
  const path = paths().of({ kind: 'mail', id: randomUUID() });
  expect(paths([newest], at(13.99)).read(path)).toBeDefined();
  expect(paths([newest], at(14)).read(path)).toBeUndefined();
});
