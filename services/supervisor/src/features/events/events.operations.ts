import type { ChangeFeeds, Handlers, Kinds } from '@sluice/http';
import type { operations } from '../../generated/api.ts';

/** The kinds of resources whose changes are in the feed, and by which operations it is read. */
export const kinds: Kinds = {
  deployment: { division: ['getDeployment'] },
  credentials: { division: ['getCredentials'] },
  certificate: { division: ['getCertificates'] },
  task: { division: ['listTasks'] },
  backup: { division: ['listBackups'] },
  backup_schedule: { division: ['getBackupSchedule'] },
  snapshot: { division: ['listSnapshots'] },
  access_rule: { division: ['listAccessRules'] },
  config: { division: ['listConfigs'] },
  connector: { division: ['listConnectorInstances'] },
  network_link: { division: ['getNetworkInfo'] },
};

export const eventsOperations = (feeds: ChangeFeeds) =>
  ({ streamRegionEvents: (call) => feeds.answer(call) }) satisfies Partial<Handlers<operations>>;
