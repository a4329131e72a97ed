import { getBackupSchedule, setBackupSchedule, type BackupSchedule } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import type { View } from '@sluice/terminal/output';
import { inDeployment } from '../entries/entries.ts';

const view: View<BackupSchedule> = {
  name: ({ cron }) => cron,
  columns: [
    { header: 'Enabled', value: ({ enabled }) => enabled },
    { header: 'Times (UTC)', value: ({ cron }) => cron },
    { header: 'Keeps', value: ({ keep }) => keep },
    { header: 'Next', value: ({ next_at }) => next_at },
  ],
};

interface ScheduleFlags {
  cron?: string;
  keep?: number;
  on?: boolean;
  off?: boolean;
}

/** Shows the schedule, after it has changed what was given. What was not given stays. */
export async function schedule(
  cli: Cli,
  at: string | undefined,
  { cron, keep, on, off }: ScheduleFlags,
): Promise<void> {
  const call = await inDeployment(cli, at);
  const { data: before } = await getBackupSchedule(call);
  if ([cron, keep, on, off].every((flag) => flag === undefined)) return cli.output.item(before, view);
  const body = {
    enabled: on ?? (off ? false : before.enabled),
    cron: cron ?? before.cron,
    keep: keep ?? before.keep,
  };
  await setBackupSchedule({ ...call, body });
  await cli.output.item((await getBackupSchedule(call)).data, view);
}
