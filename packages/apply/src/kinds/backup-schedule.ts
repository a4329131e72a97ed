import { getBackupSchedule, setBackupSchedule, type NewBackupSchedule } from '@sluice/client';
import { deploymentOf } from './access-rule.ts';
import { requireUnchanged, type Kind, type Run, type Wanted } from './kind.ts';

const callOf = (entry: { parent: string | null }, { client, signal, ids }: Run) => ({
  client,
  signal,
  path: { deployment_id: ids.path(deploymentOf(entry)).deployment_id },
});

async function send(wanted: Wanted, run: Run): Promise<void> {
  await setBackupSchedule({ ...callOf(wanted, run), body: wanted.fields as unknown as NewBackupSchedule });
}

export const backupSchedule: Kind = {
  create: { operation: () => 'setBackupSchedule', send },
  updates: (wanted, existing, changed) => [
    {
      fields: [...changed],
      operation: 'setBackupSchedule',
      async send(run) {
        await requireUnchanged(backupSchedule, existing, run);
        await send(wanted, run);
      },
    },
  ],
  async reread(existing, run) {
    const { enabled, cron, keep } = (await getBackupSchedule(callOf(existing, run))).data;
    return { fields: { enabled, cron, keep } };
  },
};
