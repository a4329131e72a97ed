import { keyInput, lifeOf, securityOf } from './key-form.ts';

const now = new Date('2026-03-14T09:26:53Z');

test('addresses are separated by lines, spaces and commas, and none are any', () => {
  expect(securityOf(' 192.0.2.1,\n198.51.100.0/24 ')).toEqual({
    validate_ip: true,
    allowed_ips: ['192.0.2.1', '198.51.100.0/24'],
  });
  expect(securityOf(' \n')).toEqual({ validate_ip: false, allowed_ips: [] });
});

test('a key of 365 days ends before the most that there may be', () => {
  const values = { name: 'deploy', role: '2', division: '', days: '365', addresses: '' };
  expect(keyInput(values, now)).toEqual({
    name: 'deploy',
    role_id: 2,
    expiry_at: '2027-03-14T09:25:53.000Z',
  });
});

test.each([
  ['2026-03-14T09:26:53Z', 'over'],
  ['2026-03-28T09:26:52Z', 'ending'],
  ['2026-03-28T09:26:53Z', 'works'],
])('a key until %s %s', (expiry, life) => expect(lifeOf(expiry, now)).toBe(life));
