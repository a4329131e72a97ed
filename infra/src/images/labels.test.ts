import { faultsOf, labelsOf, labelsOfCheckout } from './labels.ts';

const image = { name: 'audit' };
const origin = {
  ...{ version: '1.1.0', revision: 'c'.repeat(40), created: '2026-01-01T00:00:00.000Z' },
  source: 'https://git.example/sluice',
};

test('an image with the labels of its release, and as user 1000, has no fault; each that differs is named', async () => {
  const labels = await labelsOf(image, origin);
  expect(labels).toMatchObject({
    'org.opencontainers.image.title': 'sluice/audit',
    'org.opencontainers.image.licenses': 'LicenseRef-Proprietary',
    'org.opencontainers.image.source': 'https://git.example/sluice',
  });
  expect(faultsOf(image, { User: '1000:1000', Labels: labels }, origin)).toEqual([]);
  const others = Object.fromEntries(Object.entries(labels).filter(([name]) => !name.endsWith('.created')));
  expect(faultsOf(image, { Labels: others }, { version: '1.2.0' })).toEqual([
    'runs as root',
    'has the label org.opencontainers.image.version 1.1.0, not 1.2.0',
    'has no label org.opencontainers.image.created',
  ]);
  expect(faultsOf(image, { User: '0', Labels: null })).toHaveLength(6);
});

test('images of a checkout have the labels, too, without a place of their sources', async () => {
  const labels = await labelsOfCheckout(image);
  expect(faultsOf(image, { User: '1000:1000', Labels: labels })).toEqual([]);
  expect(Object.keys(labels)).not.toContain('org.opencontainers.image.source');
});
