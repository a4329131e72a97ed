import { natsRelease } from '@sluice/system/nats-server';
import { findAffected, namedImages, readAdvisories, shippedComponents } from './advisories.ts';
import type { AdvisoryList, Component } from './advisories.ts';

const nats = (version: string): Component => ({ name: 'nats', product: 'nats-server', version });
const idsOf = (component: Component, list: AdvisoryList, today = new Date()) =>
  findAffected([component], list, today).map(({ advisory }) => advisory.id);

test('nothing that is shipped is affected by an advisory of the list, unless that is accepted', async () => {
  const findings = findAffected(await shippedComponents(), await readAdvisories(), new Date());
  expect(findings.filter(({ accepted }) => accepted === undefined)).toEqual([]);
});

test.each(['2.10.27', '2.11.8', '2.11.13', '2.12.4'])(
  'nats-server %s is known to end by one frame',
  async (version) => {
    expect(idsOf(nats(version), await readAdvisories())).toContain('CVE-2026-27889');
  },
);

test.each(['2.12.12', '2.14.3', natsRelease])('nats-server %s has no known weakness', async (version) => {
  expect(idsOf(nats(version), await readAdvisories())).toEqual([]);
});

test('all images of NATS are of the release that is fetched, and images are named where they are looked for', async () => {
  const images = await namedImages();
  const tags = images.filter(({ product }) => product === 'nats-server').map(({ tag }) => tag);
  expect(tags).toHaveLength(3);
  for (const tag of tags) expect(natsRelease.startsWith(`${tag.replace('-alpine', '')}.`)).toBe(true);
  expect(new Set(images.map(({ product }) => product))).toEqual(
    new Set(['nats-server', 'postgresql', 'node']),
  );
});

test('what is accepted is so for its component, until its day', () => {
  const list: AdvisoryList = {
    refreshed: '2030-01-01',
    sources: {},
    advisories: [
      { id: 'A', product: 'nats-server', affected: '<3.0.0', fixed: '3.0.0', title: 'crash' },
      { id: 'B', product: 'nats-server', affected: '<1.0.0', fixed: '1.0.0', title: 'crash' },
    ],
    accepted: [{ component: 'nats', ids: ['A'], until: '2030-02-01', reason: 'not reachable' }],
  };
  const [before] = findAffected([nats('2.0.0')], list, new Date('2030-01-31'));
  expect(before?.accepted).toBe('not reachable');
  const [after] = findAffected([nats('2.0.0')], list, new Date('2030-02-02'));
  expect(after?.accepted).toBeUndefined();
  const [other] = findAffected([{ ...nats('2.0.0'), name: 'other' }], list, new Date('2030-01-31'));
  expect(other?.accepted).toBeUndefined();
});
