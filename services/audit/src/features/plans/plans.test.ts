import { auditService } from '#test/audit-service.ts';
import { allHandled, anEvent, deadLetters, record } from '#test/events.ts';

const on = auditService({ replicas: 1 });

const updated = (version: number, audit_retention_days: unknown, audit_export_enabled: boolean) =>
  anEvent({
    type: 'tenant_features_updated',
    data: { version, features: { audit_retention_days, audit_export_enabled, members_limit: 3 } },
  });
const known = () =>
  on.sql(
    'SELECT version::int, audit_retention_days AS days, audit_export_enabled AS exports FROM tenant_features',
  );

test('what was said last of a plan counts, in whichever order it comes, and is no entry', async () => {
  await record(on, updated(2, 90, true), updated(1, 7, false), updated(2, 90, true));
  expect(await known()).toEqual([{ version: 2, days: 90, exports: true }]);
  await record(on, updated(3, 365, false));
  expect(await known()).toEqual([{ version: 3, days: 365, exports: false }]);
  expect(await on.sql('SELECT count(*)::int AS entries FROM log_entries')).toEqual([{ entries: 0 }]);
});

test('a word of it that cannot be read is put aside', async () => {
  const unreadable = updated(4, 'for ever', true);
  await on.publish(unreadable);
  await allHandled(on);
  expect(await deadLetters(on)).toEqual([JSON.stringify(unreadable)]);
});
