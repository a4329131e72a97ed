import { getBackupSchedule, listBackups } from '@sluice/client';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { read } from '@sluice/console-core/api/query-client.ts';
import type { OpenDeployment } from '../deployment-context.ts';

type AtRegion = Pick<OpenDeployment, 'path' | 'layer' | 'supervisor'>;

/** The backups of a deployment, newest first. */
export const backupsQuery = ({ path: { tenant_id, deployment_id }, layer, supervisor: client }: AtRegion) =>
  read(keyOf(layer, tenant_id, 'backup', deployment_id), (signal) =>
    listBackups({ client, path: { deployment_id }, signal }),
  );

/** When backups are taken by themselves. */
export const scheduleQuery = ({ path: { tenant_id, deployment_id }, layer, supervisor: client }: AtRegion) =>
  read(keyOf(layer, tenant_id, 'backup_schedule', deployment_id), (signal) =>
    getBackupSchedule({ client, path: { deployment_id }, signal }),
  );
