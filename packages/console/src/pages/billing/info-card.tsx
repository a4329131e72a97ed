import { useForm } from 'react-hook-form';
import { getBillingInfo, replaceBillingInfo, type BillingInfo } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { versioned, type Versioned } from '@sluice/console-core/api/versions.ts';
import { useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { EditedForm } from '@sluice/console-core/parts/edited-form.tsx';
import { useMeanwhile } from '@sluice/console-core/parts/meanwhile.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { refreshBilling } from './queries.ts';

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
  return (
    <Card title="Made out to">
      <EditedForm of={['billing_info', tenantId]} read={readInfo(tenantId)}>
        {(first) => <InfoForm tenantId={tenantId} first={first} />}
      </EditedForm>
    </Card>
  );
}

const readInfo = (tenant_id: number) => () => versioned(getBillingInfo({ client, path: { tenant_id } }));

type Values = Record<keyof BillingInfo, string>;

const valuesOf = (info: BillingInfo) =>
  Object.fromEntries(fields.map(([name]) => [name, info[name] ?? ''])) as Values;

const bodyOf = (values: Values) =>
  Object.fromEntries(fields.map(([name]) => [name, values[name].trim() || null]));

function InfoForm({ tenantId, first }: { tenantId: number; first: Versioned<BillingInfo> }) {
  const form = useForm<Values>({ defaultValues: valuesOf(first.value) });
  const { reason } = useAllowed('changeBillingInfo');
  const body = bodyOf(form.watch());
  const { send, takeNow, dialog } = useMeanwhile({
    first,
    read: readInfo(tenantId),
    shown: (info) => bodyOf(valuesOf(info)),
    mine: body,
    put: (info) => form.reset(valuesOf(info)),
  });
  const path = `/tenants/${tenantId}/billing/info`;
  return (
    <Form
      form={form}
      action="Save"
      disabledReason={reason}
      onSubmit={(values) =>
        send(async (version) => {
          const headers = { 'If-Match': version };
          await replaceBillingInfo({
            client,
            path: { tenant_id: tenantId },
            body: bodyOf(values),
            headers,
          });
          toast('Later invoices are made out to it');
          await refreshBilling(tenantId);
          await takeNow();
        })
      }
      beside={
        <AsCode
          command={['billing', 'info', 'edit', '--file', 'billing.json']}
          request={{ method: 'PUT', path, body }}
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
      {dialog}
    </Form>
  );
}
