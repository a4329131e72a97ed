import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { createApiKey, createDivisionApiKey, type CreatedApiKey } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { contextQuery, structureQuery } from '@sluice/console-core/api/queries.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { refreshKinds, rolesQuery } from '../people/queries.ts';
import { AddressesField } from './addresses-field.tsx';
import { addressesIn, keyInput, lifetimes, type KeyValues } from './key-form.ts';
import { isOfDivision, keyActions } from './places.ts';
import { ShownOnce } from './shown-once.tsx';

/** Creates a key, and shows its token this once. */
export function CreateDialog({
  tenantId,
  division,
  onClose,
}: {
  tenantId: number;
  division: number | undefined;
  onClose: () => void;
}) {
  const [created, setCreated] = useState<CreatedApiKey>();
  return (
    <Dialog
      title={created ? `The key ${created.name}` : 'Create an API key'}
      isOpen
      role={created ? 'alertdialog' : 'dialog'}
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      {created ? (
        <ShownOnce created={created} onClose={onClose} />
      ) : (
        <CreateForm {...{ tenantId, division }} onCreated={setCreated} />
      )}
    </Dialog>
  );
}

function CreateForm({
  tenantId,
  division,
  onCreated,
}: {
  tenantId: number;
  division: number | undefined;
  onCreated: (created: CreatedApiKey) => void;
}) {
  const { data: roles } = useQuery(rolesQuery(tenantId));
  const { data: structure } = useQuery(structureQuery(tenantId));
  const { data: context } = useQuery(contextQuery(tenantId));
  const isBound = isOfDivision(keyActions(context?.permissions, division ?? null));
  const form = useForm<KeyValues>({
    defaultValues: {
      name: '',
      role: null,
      division: division === undefined ? '' : String(division),
      days: '90',
      addresses: '',
    },
  });
  const values = form.watch();
  const input = keyInput(values, new Date());
  const divisions = (structure?.divisions ?? []).map(({ id, name }) => ({ key: String(id), label: name }));
  const divisionId = values.division === '' ? null : Number(values.division);
  const role = roles?.items.find(({ id }) => String(id) === values.role);
  const blocks = addressesIn(values.addresses);
  const path = `/tenants/${tenantId}${isBound ? `/divisions/${division}` : ''}/api_keys`;
  const bodyOf = (wanted: KeyValues) => ({
    ...keyInput(wanted, new Date()),
    ...(!isBound && wanted.division !== '' && { division_id: Number(wanted.division) }),
  });
  return (
    <Form
      form={form}
      action="Create"
      onSubmit={async (wanted) => {
        if (wanted.role === null) {
          form.setError('role', { message: 'This is needed.' });
          return;
        }
        const { data } =
          isBound && division !== undefined
            ? await createDivisionApiKey({
                client,
                path: { tenant_id: tenantId, division_id: division },
                body: keyInput(wanted, new Date()),
              })
            : await createApiKey({ client, path: { tenant_id: tenantId }, body: bodyOf(wanted) });
        onCreated(data);
        await refreshKinds(tenantId, 'api_key', 'limits');
      }}
      beside={
        <AsCode
          command={[
            ...['keys', 'create', values.name || 'NAME'],
            divisions.find(({ key }) => key === values.division)?.label,
            ...['--role', role?.name ?? 'ROLE', '--for', `${values.days}d`],
            ...(blocks.length > 0 ? ['--allowed-ips', blocks.join(',')] : []),
          ]}
          request={{
            method: 'POST',
            path,
            body: { ...input, ...(!isBound && divisionId !== null && { division_id: divisionId }) },
          }}
        />
      }
    >
      <FormText control={form.control} name="name" label="Name" isRequired autoFocus />
      <Controller
        control={form.control}
        name="role"
        render={({ field: { value, onChange }, fieldState: { error } }) => (
          <Select
            label="Role"
            description="The key can do what both the role and you may."
            isRequired
            options={(roles?.items ?? []).map(({ id, name, kind }) => ({
              key: String(id),
              label: name,
              ...(kind === 'custom' && { note: kind }),
            }))}
            value={value}
            onChange={onChange}
            error={error?.message}
          />
        )}
      />
      <Controller
        control={form.control}
        name="division"
        render={({ field: { value, onChange } }) => (
          <Select
            label="Sees"
            options={[{ key: '', label: 'The organization' }, ...divisions]}
            value={value}
            onChange={(key) => onChange(key ?? '')}
            isDisabled={isBound}
          />
        )}
      />
      <Controller
        control={form.control}
        name="days"
        render={({ field: { value, onChange } }) => (
          <Select label="Works for" options={lifetimes} value={value} onChange={onChange} />
        )}
      />
      <AddressesField
        control={form.control}
        name="addresses"
        value={values.addresses}
        onAdd={(text) => form.setValue('addresses', text)}
      />
    </Form>
  );
}
