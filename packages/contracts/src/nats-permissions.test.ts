import { topology } from './index.ts';
import { isSigned, senderFor } from './nats-permissions.ts';

const names = topology('sluice');
const region = 'supervisor/cloud_a/us-east-1';

test.each([
  ['sluice.events.main-api.1.division_created', 'main-api'],
  ['sluice.events.main-api', undefined],
  ['sluice.commands.cloud_a.us-east-1.deployment_apply', 'main-api'],
  ['sluice.mails.protection_code', 'main-api'],
  ['other.events.main-api.1.division_created', undefined],
  ['sluice.reports.main-api.deployment_status', undefined],
  ['sluice.reports.supervisor.cloud_a.us-east-1.deployment_status', region],
  ['sluice.events.supervisor.cloud_a.us-east-1.1.deployment_failed', region],
  ['sluice.events.supervisor.cloud_a.us-east-1.1.deployment_failed.more', undefined],
  ['sluice.events.supervisor.cloud_a.us-east-1.deployment_failed', undefined],
  ['sluice.events.supervisor.cloud_a.us-east-1.1.tenant_deleted', undefined],
  ['sluice.events.supervisor.cloud_a.us-east-1.1.of_a_later_release', region],
  ['sluice.events.audit.1.of_a_later_release', 'audit'],
  ['sluice.events.audit.1.deployment_failed', undefined],
  ['sluice.events.stranger.1.division_created', undefined],
  ['sluice.events.1.division_created', undefined],
])('the sender of %s: %s', (subject, sender) => {
  // asked twice, since the second answer comes from what the first has found out
  expect([senderFor(names, subject), senderFor(names, subject)]).toEqual([sender, sender]);
});

test('what may be sent in one namespace says nothing of another', () => {
  const others = topology('other');
  const subjects = ['sluice', 'other'].map((name) => `${name}.reports.supervisor.cloud_a.us-east-1.one`);
  expect(subjects.map((subject) => senderFor(names, subject))).toEqual([region, undefined]);
  expect(subjects.map((subject) => senderFor(others, subject))).toEqual([undefined, region]);
});

test('signed are commands, the address of a region and the end of a tenant', () => {
  const { subjects } = names;
  expect(isSigned(subjects.command('cloud_a', 'us-east-1', 'deployment_apply'))).toBe(true);
  expect(isSigned(subjects.report(region, 'region_registered'))).toBe(true);
  expect(isSigned('sluice.events.main-api.1.tenant_deleted')).toBe(true);
  expect(isSigned('sluice.events.main-api.1.division_created')).toBe(false);
  expect(isSigned(subjects.report(region, 'deployment_status'))).toBe(false);
});
