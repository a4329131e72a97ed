import { useForm } from 'react-hook-form';
import { setRetention } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { applyLines } from '@sluice/console-core/lib/apply-lines.ts';
import { useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { useDeployment } from '../deployment-context.ts';
import { deploymentPath } from '../place.ts';
import { refresh } from '../queries.ts';

/** For how long metrics, logs and heartbeats are kept. */
export function RetentionCard() {
  const open = useDeployment();
  const { deployment, path, place, names, words } = open;
  const { reason } = useAllowed('setRetention', place);
  const form = useForm({ defaultValues: { retention: String(deployment.retention.telemetry_days) } });
  const days = Number(form.watch('retention'));
  return (
    <Card title="Retention">
      <Form
        form={form}
        action="Set the retention"
        disabledReason={reason}
        onSubmit={async ({ retention }) => {
          const telemetry_days = Number(retention);
          if (!Number.isSafeInteger(telemetry_days) || telemetry_days < 1) {
            form.setError('retention', { message: 'A whole number of days.' });
            return;
          }
          await setRetention({ client, path, body: { retention: { telemetry_days } } });
          toast('The retention is set');
          await refresh(open);
        }}
        beside={
          <AsCode
            command={['deployments', 'retention', words, '--days', String(days)]}
            request={{
              method: 'PUT',
              path: `${deploymentPath(path)}/retention`,
              body: { retention: { telemetry_days: days } },
            }}
            apply={applyLines(names, { retention: { telemetry_days: days } })}
          />
        }
      >
        <FormText
          control={form.control}
          name="retention"
          label="Days"
          description="For metrics, logs and heartbeats. What is older than a shorter time is deleted."
          inputMode="numeric"
          isRequired
        />
      </Form>
    </Card>
  );
}
