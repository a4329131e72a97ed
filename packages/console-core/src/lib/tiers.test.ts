import { storageText, tierRefusal, tierSize } from './tiers.ts';

test('a tier that the plan has none left of says why', () => {
  expect(tierRefusal({ available: true, limit: 3 })).toBeUndefined();
  expect(tierRefusal({ available: false, limit: 0 })).toBe('not in your plan');
  expect(tierRefusal({ available: false, limit: 2 })).toBe('all 2 of your plan are in use');
});

test('sizes are read by people', () => {
  expect(tierSize({ vcpus: 2, memory_gib: 8 })).toBe('2 vCPU, 8 GiB');
  expect(storageText({ type: 'network_balanced', size: 100 })).toBe('Network storage, 100 GB');
  expect(storageText({ type: 'local_ssd', size: null })).toBe('Local SSD');
});
