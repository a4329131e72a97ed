import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { setSpendLimit } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { applyLines } from '@sluice/console-core/lib/apply-lines.ts';
import { isAmount } from '@sluice/ui/lib/money.ts';
import { useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Card, DescriptionList, Money, Time } from '@sluice/ui/data.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { deploymentPath } from '../place.ts';
import { costQuery, refresh } from '../queries.ts';

/** What the deployment costs this month, and how much it may. */
export function MoneyCard() {
  const open = useDeployment();
  const { deployment, path, place, names, words } = open;
  const { data: cost } = useQuery(costQuery(path));
  const { reason } = useAllowed('setSpendLimit', place);
  const form = useForm({ defaultValues: { spend_limit: deployment.spend_limit_usd ?? '' } });
  const text = form.watch('spend_limit').trim();
  const spend_limit = text === '' ? null : Number(text);
  return (
    <Card title="Cost">
      <div className={layout.closeStack}>
        {cost && (
          <DescriptionList
            items={[
              ['Until now', <Money key="now" amount={cost.total_usd} />],
              ['Forecast', <Money key="forecast" amount={cost.forecast_usd} />],
              ['Since', <Time key="since" at={cost.from} isExact />],
            ]}
          />
        )}
        <Form
          form={form}
          action="Set the limit"
          disabledReason={reason}
          onSubmit={async ({ spend_limit: given }) => {
            if (given.trim() !== '' && !isAmount(given.trim())) {
              form.setError('spend_limit', { message: 'US dollars, such as 250 or 99.90.' });
              return;
            }
            await setSpendLimit({ client, path, body: { spend_limit } });
            toast(spend_limit === null ? 'There is no limit any more' : 'The limit is set');
            await refresh(open);
          }}
          beside={
            <AsCode
              command={[
                ...['deployments', 'spend-limit', words],
                ...(text === '' ? ['--none'] : ['--dollars', text]),
              ]}
              request={{
                method: 'PUT',
                path: `${deploymentPath(path)}/spend_limit`,
                body: { spend_limit },
              }}
              apply={applyLines(names, { spend_limit })}
            />
          }
        >
          <FormText
            control={form.control}
            name="spend_limit"
            label="Limit of a month"
            description="US dollars; empty for none. When it is reached, the broker stops until the month ends or the limit is raised."
            inputMode="decimal"
          />
        </Form>
      </div>
    </Card>
  );
}
