import type { KindName } from '../entries.ts';
import { accessRule } from './access-rule.ts';
import { backupSchedule } from './backup-schedule.ts';
import { channel } from './channel.ts';
import { configuration } from './configuration.ts';
import { connector } from './connector.ts';
import { deployment } from './deployment.ts';
import type { Kind } from './kind.ts';
import { member, role } from './people.ts';
import { division, environment } from './places.ts';
import { auditSink, tenantConfiguration } from './tenant.ts';

export const kindOf: Readonly<Record<KindName, Kind>> = {
  'tenant configuration': tenantConfiguration,
  'audit sink': auditSink,
  role,
  member,
  channel,
  division,
  environment,
  deployment,
  'access rule': accessRule,
  configuration,
  connector,
  'backup schedule': backupSchedule,
};
