import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { replaceBillingInfo, type BillingInfo } from '@sluice/client';
import { sluice as client } from '../../api/client.ts';
import { useAllowed } from '../../parts/allowed.tsx';
import { AsCode } from '../../parts/as-code.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { billingInfoQuery, refreshBilling } from './queries.ts';

const fields = [
  ['company', 'Company'],
  ['name', 'Person'],
  ['address', 'Street and number'],
  ['postal_code', 'Postal code'],
  ['city', 'City'],
  ['state', 'State or province'],
  ['country', 'Country', 'Two letters, such as DE.'],
  ['tax_id', 'Tax number', 'Of the company, such as a VAT number.'],
  ['email', 'Mail address', 'Invoices are sent there.'],
  ['phone', 'Telephone'],
] as const;

/** Whom invoices are made out to. */
export function InfoCard({ tenantId }: { tenantId: number }) {
  const { data, error, refetch } = useQuery(billingInfoQuery(tenantId));
  return (
    <Card title="Made out to">
      {data ? (
        <InfoForm key={JSON.stringify(data)} tenantId={tenantId} info={data} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines count={6} />
      )}
    </Card>
  );
}

type Values = Record<keyof BillingInfo, string>;

function InfoForm({ tenantId, info }: { tenantId: number; info: BillingInfo }) {
  const form = useForm<Values>({
    defaultValues: Object.fromEntries(fields.map(([name]) => [name, info[name] ?? ''])) as Values,
  });
  const { reason } = useAllowed('changeBillingInfo');
  const bodyOf = (values: Values) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim() || null]));
  const path = `/tenants/${tenantId}/billing/info`;
  return (
    <Form
      form={form}
      action="Save"
      disabledReason={reason}
      onSubmit={async (values) => {
        await replaceBillingInfo({ client, path: { tenant_id: tenantId }, body: bodyOf(values) });
        toast('Later invoices are made out to it');
        await refreshBilling(tenantId);
      }}
      beside={
        <AsCode
          command={['billing', 'info', 'edit', '--file', 'billing.json']}
          request={{ method: 'PUT', path, body: bodyOf(form.watch()) }}
        />
      }
    >
      <div className={layout.pair}>
        {fields.map(([name, label, description]) => (
          <FormText
            key={name}
            control={form.control}
            name={name}
            label={label}
            {...(description !== undefined && { description })}
          />
        ))}
      </div>
    </Form>
  );
}
