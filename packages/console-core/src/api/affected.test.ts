import type { Change } from '@sluice/client';
import { affectedBy } from './affected.ts';

const change = (kind: string): Change => ({
  ...{ type: 'change', kind, id: 1, change: 'updated', revision: 1 },
  ...{ division_id: null, environment_id: null, deployment_id: null, changed_at: '2026-03-14T09:26:53Z' },
});

test('a change concerns its kind and what is derived of it', () => {
  expect(affectedBy('main', 3, change('deployment'))).toEqual([
    ['main', 3, 'deployment'],
    ['main', 3, 'structure'],
    ['main', 3, 'summary'],
  ]);
  expect(affectedBy('cloud_a/us-east-1', 3, change('task'))).toEqual([['cloud_a/us-east-1', 3, 'task']]);
});

test('after a reset all of the layer is read again', () => {
  expect(affectedBy('main', 3, { type: 'reset', reason: 'too_old' })).toEqual([['main', 3]]);
});
