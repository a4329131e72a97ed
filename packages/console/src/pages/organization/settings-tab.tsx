import { useQuery } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { getTenant, updateTenant, type Tenant } from '@sluice/client';
import { tenantQuery } from '@sluice/console-core/api/catalogue.ts';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { contextQuery } from '@sluice/console-core/api/queries.ts';
import { versioned, type Versioned } from '@sluice/console-core/api/versions.ts';
import { useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { EditedForm } from '@sluice/console-core/parts/edited-form.tsx';
import { useMeanwhile } from '@sluice/console-core/parts/meanwhile.tsx';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Card, DescriptionList, Time } from '@sluice/ui/data.tsx';
import { ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Switch } from '@sluice/ui/field.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { refreshKinds } from '../people/queries.ts';
import { LeaveCard, DeleteCard } from './danger-cards.tsx';
import { changedFields, settingsOf, type SettingsValues } from './settings-form.ts';
import styles from './organization.module.css';

/** Name, address and protection of the organization. */
export function SettingsTab() {
  const tenantId = useTenantId();
  const { data: tenant, error, refetch } = useQuery(tenantQuery(tenantId));
  const { data: context } = useQuery(contextQuery(tenantId));
  if (!tenant)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={8} />;
  const isOwner = context?.owner === true;
  return (
    <div className={styles.stack}>
      <Card title="Settings">
        <EditedForm of={['tenant', tenantId]} read={readTenant(tenantId)}>
          {(first) => <SettingsForm first={first} isOwner={isOwner} />}
        </EditedForm>
      </Card>
      <Card title="About it">
        <DescriptionList
          items={[
            ['Id', String(tenant.id)],
            ['Founded', <Time key="at" at={tenant.created_at} isExact />],
            ['Changed', <Time key="changed" at={tenant.updated_at} />],
          ]}
        />
      </Card>
      {isOwner ? <DeleteCard tenant={tenant} /> : <LeaveCard tenant={tenant} />}
    </div>
  );
}

const readTenant = (tenant_id: number) => () => versioned(getTenant({ client, path: { tenant_id } }));

function SettingsForm({ first, isOwner }: { first: Versioned<Tenant>; isOwner: boolean }) {
  const form = useForm<SettingsValues>({ defaultValues: settingsOf(first.value) });
  const { reason } = useAllowed('changeTenant');
  const values = form.watch();
  const {
    base: tenant,
    send,
    takeNow,
    dialog,
  } = useMeanwhile({
    first,
    read: readTenant(first.value.id),
    shown: settingsOf,
    mine: values,
    put: (now) => form.reset(settingsOf(now)),
  });
  const body = changedFields(tenant, values);
  const isChanged = Object.keys(body).length > 0;
  return (
    <Form
      form={form}
      action="Save"
      disabledReason={reason ?? (isChanged ? undefined : 'Nothing is changed yet.')}
      onSubmit={(wanted) =>
        send(async (version) => {
          await updateTenant({
            client,
            path: { tenant_id: tenant.id },
            body: changedFields(tenant, wanted),
            headers: { 'If-Match': version },
          });
          toast('The organization is changed');
          await refreshKinds(tenant.id, 'tenant', 'context');
          await takeNow();
        })
      }
      beside={
        <AsCode
          command={[
            ...['tenants', 'edit'],
            ...(body.name === undefined ? [] : ['--name', body.name]),
            body.description === null && '--no-description',
            ...(body.description ? ['--description', body.description] : []),
            ...(body.email === undefined ? [] : ['--email', body.email]),
            body.protected !== undefined && (body.protected ? '--protected' : '--no-protected'),
          ]}
          request={{ method: 'PUT', path: `/tenants/${tenant.id}`, body }}
        />
      }
    >
      <FormText control={form.control} name="name" label="Name" isRequired />
      <FormText control={form.control} name="description" label="Description" rows={2} />
      <FormText
        control={form.control}
        name="email"
        label="Address"
        type="email"
        description={
          isOwner
            ? 'Where codes for deletions and mails about the organization go.'
            : 'Where codes for deletions and mails about the organization go. Only the owner changes it.'
        }
        isDisabled={!isOwner}
        isRequired
      />
      <Controller
        control={form.control}
        name="protected"
        render={({ field: { value, onChange } }) => (
          <div>
            <Switch isSelected={value} onChange={onChange} isDisabled={tenant.protected && !isOwner}>
              Protected
            </Switch>
            <p className={layout.muted}>
              Its deletion needs a one-time code.
              {tenant.protected && !isOwner && ' Only the owner can lower the protection.'}
            </p>
          </div>
        )}
      />
      {dialog}
    </Form>
  );
}
