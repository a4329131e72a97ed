import { topology } from './index.ts';
import { maySay } from './nats-permissions.ts';

const names = topology('sluice');
const region = 'supervisor/cloud_a/us-east-1';

test.each([
  ['main-api', 'sluice.events.1.division_created', true],
  ['main-api', 'sluice.events', false],
  ['main-api', 'sluice.reports.main-api.deployment_status', false],
  ['main-api', 'other.events.1.division_created', false],
  [region, 'sluice.events.1.deployment_failed', true],
  [region, 'sluice.events.1.deployment_failed.more', false],
  [region, 'sluice.events.deployment_failed', false],
  [region, 'sluice.events.1.division_created', false],
  ['audit', 'sluice.events.1.deployment_failed', false],
  ['stranger', 'sluice.events.1.division_created', false],
])('%s may say %s: %s', (sender, subject, may) => {
  // asked twice, since the second answer comes from what the first has found out
  expect([maySay(names, sender, subject), maySay(names, sender, subject)]).toEqual([may, may]);
});

test('what may be said in one namespace says nothing of another', () => {
  const others = topology('other');
  expect(maySay(names, region, 'sluice.events.1.deployment_failed')).toBe(true);
  expect(maySay(others, region, 'sluice.events.1.deployment_failed')).toBe(false);
  expect(maySay(others, region, 'other.events.1.deployment_failed')).toBe(true);
});
