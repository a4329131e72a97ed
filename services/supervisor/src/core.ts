import type { UnitOfWork } from '@sluice/messaging';
import type { ServiceRuntime } from '@sluice/runtime';
import type { SecretBox } from '@sluice/system/secrets';
import type { SupervisorEnvironment } from './config.ts';
import type { EnrolmentService } from './features/byoc/enrolment.service.ts';
import type { SettleSnapshots } from './features/snapshots/settle.ts';
import type { AdvanceTasks } from './features/tasks/advance.ts';
import type { Drivers } from './drivers.ts';
import type { Database, Transaction } from '@sluice/region-store/tables';
import type { BackupSupport } from './drivers/backup-support.ts';

/** What all parts of the supervisor share. */
export interface Core {
  runtime: ServiceRuntime;
  environment: SupervisorEnvironment;
  database: Database;
  work: UnitOfWork<Transaction>;
  secrets: SecretBox;
  advanceTasks: AdvanceTasks;
  settleSnapshots: SettleSnapshots;
  enrolments: EnrolmentService;
  drivers: Drivers;
  backupSupport: BackupSupport;
}
