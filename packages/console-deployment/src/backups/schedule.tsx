import { useQuery } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { setBackupSchedule, type BackupSchedule } from '@sluice/client';
import { useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { Card, Time } from '@sluice/ui/data.tsx';
import { ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Switch } from '@sluice/ui/field.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { refresh } from '../queries.ts';
import { scheduleQuery } from './queries.ts';
import styles from './backups.module.css';

/** When backups are taken by themselves, and how many are kept. */
export function Schedule() {
  const open = useDeployment();
  const { data: schedule, error, refetch } = useQuery(scheduleQuery(open));
  return (
    <Card title="Schedule">
      {schedule ? (
        <ScheduleForm
          key={JSON.stringify([schedule.enabled, schedule.cron, schedule.keep])}
          {...{ schedule }}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines />
      )}
    </Card>
  );
}

const own = 'own';
const usual = [
  { key: '0 3 * * *', label: 'Each day at 03:00 UTC' },
  { key: '0 3 * * 1-5', label: 'Each weekday at 03:00 UTC' },
  { key: '0 3 * * 0', label: 'Each Sunday at 03:00 UTC' },
  { key: '0 */6 * * *', label: 'Each six hours' },
  { key: '0 * * * *', label: 'Each hour' },
];
const isUsual = (cron: string) => usual.some(({ key }) => key === cron);

function ScheduleForm({ schedule }: { schedule: BackupSchedule }) {
  const open = useDeployment();
  const { supervisor: client, path, place, words } = open;
  const { deployment_id } = path;
  const { reason } = useAllowed('setBackupSchedule', place);
  const form = useForm({
    defaultValues: {
      enabled: schedule.enabled,
      choice: isUsual(schedule.cron) ? schedule.cron : own,
      cron: schedule.cron,
      keep: String(schedule.keep),
    },
  });
  const { enabled, choice, cron, keep } = form.watch();
  const body = { enabled, cron: choice === own ? cron.trim() : choice, keep: Number(keep) };
  return (
    <Form
      form={form}
      action="Set the schedule"
      disabledReason={reason}
      onSubmit={async () => {
        if (!Number.isSafeInteger(body.keep) || body.keep < 1) {
          form.setError('keep', { message: 'A whole number.' });
          return;
        }
        await setBackupSchedule({ client, path: { deployment_id }, body });
        toast(enabled ? 'The schedule is in force' : 'The schedule is switched off');
        await refresh(open, 'backup_schedule');
      }}
      beside={
        <AsCode
          command={[
            ...['backups', 'schedule', words, '--cron', body.cron, '--keep', keep],
            enabled ? '--on' : '--off',
          ]}
          request={{
            method: 'PUT',
            path: `/deployments/${deployment_id}/backups/schedule`,
            body,
            layer: 'supervisor',
          }}
        />
      }
    >
      <Controller
        control={form.control}
        name="enabled"
        render={({ field: { value, onChange } }) => (
          <Switch isSelected={value} onChange={onChange}>
            Take backups by themselves
          </Switch>
        )}
      />
      <div className={styles.fields}>
        <Controller
          control={form.control}
          name="choice"
          render={({ field: { value, onChange } }) => (
            <Select
              label="When"
              options={[...usual, { key: own, label: 'Other times' }]}
              value={value}
              onChange={onChange}
            />
          )}
        />
        {choice === own && (
          <FormText
            control={form.control}
            name="cron"
            label="Times"
            description="Minute, hour, day of the month, month, day of the week, in UTC"
            isMono
            isRequired
          />
        )}
        <FormText
          control={form.control}
          name="keep"
          label="Keep"
          description="The newest of the schedule’s backups"
          inputMode="numeric"
          isRequired
        />
      </div>
      {schedule.enabled && (
        <p className={layout.muted}>
          The next one is taken <Time at={schedule.next_at} />.
        </p>
      )}
    </Form>
  );
}
