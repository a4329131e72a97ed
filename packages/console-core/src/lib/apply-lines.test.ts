import { applyLines } from './apply-lines.ts';

const place = { division: 'payments', environment: 'on', name: 'orders' };

test('a deployment is written below its places', () => {
  expect(applyLines(place, { tier: 'small', spend_limit: 20, protected: undefined })).toBe(
    [
      'divisions:',
      '  - name: payments',
      '    environments:',
      '      - name: "on"',
      '        deployments:',
      '          - name: orders',
      '            tier: small',
      '            spend_limit: 20',
      '',
    ].join('\n'),
  );
});

test('lists and texts are JSON', () => {
  expect(applyLines(place, { description: 'a: b', labels: { a: '1' } })).toContain(
    '            description: "a: b"\n            labels: {"a":"1"}\n',
  );
});

test('there are none before the places have names', () => {
  expect(applyLines({ ...place, division: '' }, {})).toBeUndefined();
});
