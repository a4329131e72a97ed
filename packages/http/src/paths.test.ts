import { Paths } from './paths.ts';

const paths = new Paths<string>();
for (const path of ['/cups/own', '/cups/{cup_id}', '/cups/{cup_id}/handles/{name}']) paths.add(path, path);

test.each([
  ['/cups/7', '/cups/{cup_id}', { cup_id: '7' }],
  ['/cups/own', '/cups/own', {}],
  ['/cups/7/handles/a%2Fb', '/cups/{cup_id}/handles/{name}', { cup_id: '7', name: 'a/b' }],
  ['/cups/__proto__', '/cups/{cup_id}', { cup_id: '__proto__' }],
])('%s is %s', (asked, value, parameters) => {
  expect(paths.find(asked)).toEqual({ value, parameters });
});

test.each(['/cups', '/cups/', '/cups/7/', '/Cups/7', '//cups/7', '/cups//handles/x', '/%63ups/7', ''])(
  '%s is none',
  (asked) => {
    expect(paths.find(asked)).toBeUndefined();
  },
);

test('what cannot be decoded is told from what is not there', () => {
  expect(() => paths.find('/cups/%zz')).toThrow(URIError);
});
