import { placeNames, placeWords } from './place.ts';

test('a deployment is named as commands take it', () => {
  expect(placeWords(['payments', 'dev', 'orders'], 7)).toBe('payments/dev/orders');
  expect(placeWords(['a/b', 'dev', 'orders'], 7)).toBe('a%2Fb/dev/orders');
});

test('without the names of its places its id stands for it', () => {
  const structure = { id: 1, name: 't', divisions: [{ id: 2, name: 'payments', environments: [] }] };
  expect(placeNames(structure, 2, 3)).toEqual({ division: 'payments', environment: '' });
  expect(placeWords(['payments', '', 'orders'], 7)).toBe('7');
});
