import { useQuery } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { updateAccountSettings, type Account } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { accountQuery, ownTenantsQuery, structureQuery } from '@sluice/console-core/api/queries.ts';
import { Select } from '@sluice/ui/choice.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { Form } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';

interface Values {
  default_tenant_id: string;
  default_division_id: string;
}

const idOrNull = (text: string) => (text === '' ? null : Number(text));

/** The organization that the console opens with, and the division that programs work in unless they say otherwise. */
export function DefaultsCard({ settings }: Pick<Account, 'settings'>) {
  const { data: tenants } = useQuery(ownTenantsQuery);
  const form = useForm<Values>({
    defaultValues: {
      default_tenant_id: String(settings.default_tenant_id ?? ''),
      default_division_id: String(settings.default_division_id ?? ''),
    },
  });
  const tenant = form.watch('default_tenant_id');
  const { data: structure } = useQuery({ ...structureQuery(Number(tenant)), enabled: tenant !== '' });
  const divisions = tenant === '' ? [] : (structure?.divisions ?? []);
  return (
    <Card title="Defaults">
      <Form
        form={form}
        action="Save"
        onSubmit={async (values) => {
          const body = {
            default_tenant_id: idOrNull(values.default_tenant_id),
            default_division_id: idOrNull(values.default_division_id),
          };
          await updateAccountSettings({ client, body });
          toast('The defaults are changed');
          await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
        }}
      >
        <Controller
          control={form.control}
          name="default_tenant_id"
          render={({ field: { value, onChange }, fieldState: { error } }) => (
            <Select
              label="Organization"
              options={[
                { key: '', label: 'None' },
                ...(tenants?.items ?? []).map(({ id, name }) => ({ key: String(id), label: name })),
              ]}
              value={value}
              onChange={(key) => {
                onChange(key ?? '');
                form.setValue('default_division_id', '');
              }}
              error={error?.message}
            />
          )}
        />
        <Controller
          control={form.control}
          name="default_division_id"
          render={({ field: { value, onChange }, fieldState: { error } }) => (
            <Select
              label="Division"
              options={[
                { key: '', label: 'None' },
                ...divisions.map(({ id, name }) => ({ key: String(id), label: name })),
              ]}
              value={value}
              onChange={(key) => onChange(key ?? '')}
              isDisabled={tenant === ''}
              error={error?.message}
            />
          )}
        />
      </Form>
    </Card>
  );
}
