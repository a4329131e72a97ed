import { placeText, withoutImplied } from './permission-text.ts';

const payments = { id: 12, name: 'payments' };
const nowhere = { division: null, environment: null };

test.each([
  [{ scope: 'tenant', ...nowhere } as const, 'in the organization'],
  [{ scope: 'division', ...nowhere } as const, 'in all divisions'],
  [{ scope: 'division', ...nowhere, division: payments } as const, 'in payments'],
  [{ scope: 'environment', ...nowhere } as const, 'in all environments'],
  [{ scope: 'environment', ...nowhere, division: payments } as const, 'in all environments of payments'],
  [
    { scope: 'environment', division: payments, environment: { id: 3, name: 'dev' } } as const,
    'in payments/dev',
  ],
  [
    { scope: 'environment', division: payments, environment: { id: 3, name: null } } as const,
    'in payments/#3',
  ],
])('%j is %s', (place, text) => expect(placeText(place)).toBe(text));

test('a permission to manage says that it can be read', () =>
  expect(withoutImplied(['member:read', 'member:manage', 'role:read'])).toEqual([
    'member:manage',
    'role:read',
  ]));
