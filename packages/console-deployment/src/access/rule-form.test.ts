import type { AccessRule } from '@sluice/client';
import { bodyOf, valuesOf } from './rule-form.ts';

const now = new Date('2026-03-14T09:26:53.000Z');
const rule: AccessRule = {
  id: 3,
  name: 'office',
  remarks: null,
  rules: { broker_tcp: true, broker_http: true, broker_websocket: false, broker_udp: false },
  cidr_blocks: ['192.0.2.0/24', '10.0.0.0/8'],
  valid_to: '2026-04-01T00:00:00.000Z',
  created_at: '2026-01-01T00:00:00.000Z',
};

test('a rule that nobody has changed is sent as it was', () => {
  const { name, remarks, rules, cidr_blocks, valid_to } = rule;
  expect(bodyOf(valuesOf(rule, '198.51.100.7'), rule, now)).toEqual({
    name,
    remarks,
    rules,
    cidr_blocks,
    valid_to,
  });
});

test('a new rule lets the own address in and has the chosen end', () => {
  const values = { ...valuesOf(undefined, '198.51.100.7'), name: ' me ', end: '3600000' };
  expect(bodyOf(values, undefined, now)).toMatchObject({
    name: 'me',
    cidr_blocks: ['198.51.100.7/32'],
    valid_to: '2026-03-14T10:26:53.000Z',
  });
  expect(valuesOf(undefined, null).cidr_blocks).toBe('');
});
