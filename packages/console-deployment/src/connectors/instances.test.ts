import type { Connector, ConnectorInstance } from '@sluice/client';
import { instancesOf, refusalOf } from './instances.ts';

const instance = (id: number, status: ConnectorInstance['status']): ConnectorInstance => ({
  ...{ id, deployment_id: 77, connector_type: 'sink', connector_key: 'postgres', name: `I${id}` },
  ...{ key: `i${id}`, status, status_reason: null, created_at: `2026-03-14T09:0${id}:00.000Z` },
});
const catalogue = (...instances: ConnectorInstance[]): Connector[] => [
  {
    ...{ key: 'postgres', type: 'sink', name: 'PostgreSQL', description: '' },
    ...{ available: true, permitted: true, instances },
  },
];

test('an instance that its region does not know yet, or has refused, is listed with the others', () => {
  const listed = instancesOf(
    [instance(2, 'active')],
    catalogue(instance(1, 'failed'), instance(2, 'pending'), instance(3, 'pending')),
  );
  expect(listed?.map(({ id, status }) => [id, status])).toEqual([
    [1, 'failed'],
    [2, 'active'],
    [3, 'pending'],
  ]);
});

test('an instance that is gone from its region is not listed any more', () => {
  expect(instancesOf([], catalogue(instance(1, 'active')))).toEqual([]);
  expect(instancesOf(undefined, undefined)).toBeUndefined();
});

test('a connector that cannot be activated says why; a missing permission is said elsewhere', () => {
  expect(refusalOf({ available: false, permitted: true }, true)).toMatch(/runtime/);
  expect(refusalOf({ available: true, permitted: false }, true)).toMatch(/plan/);
  expect(refusalOf({ available: true, permitted: false }, false)).toBeUndefined();
});
