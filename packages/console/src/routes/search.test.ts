import { defined, id, oneOf, text } from './search.ts';

test('what is valid is taken and the rest is not', () => {
  const search = { q: 'a', n: 5, empty: '', division: '7', wrong: '-1', sort: 'name', list: ['a'] };
  expect([text(search, 'q'), text(search, 'n'), text(search, 'empty'), text(search, 'list')]).toEqual([
    'a',
    '5',
    undefined,
    undefined,
  ]);
  expect([id(search, 'division'), id(search, 'wrong'), id(search, 'q')]).toEqual([7, undefined, undefined]);
  expect([oneOf(search, 'sort', ['name']), oneOf(search, 'q', ['name'])]).toEqual(['name', undefined]);
  expect(defined({ a: 1, b: undefined })).toEqual({ a: 1 });
});
