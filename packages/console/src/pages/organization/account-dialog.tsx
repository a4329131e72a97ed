import { Controller, useForm } from 'react-hook-form';
import {
  createCloudAccount,
  getCloudAccount,
  updateCloudAccount,
  type CloudAccount,
  type CloudAccountDetail,
} from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { versioned, type Versioned } from '@sluice/console-core/api/versions.ts';
import { clouds, cloudNames } from '@sluice/console-core/clouds/index.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { EditedForm } from '@sluice/console-core/parts/edited-form.tsx';
import { useMeanwhile } from '@sluice/console-core/parts/meanwhile.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { refreshKinds } from '../people/queries.ts';
import { accountInput, accountValues, type AccountValues } from './account-form.ts';
import styles from './organization.module.css';

interface AccountDialogProps {
  tenantId: number;
  /** undefined for a new one */
  account: CloudAccount | undefined;
  onClose: () => void;
}

/** Adds or changes a cloud account. */
export function AccountDialog({ tenantId, account, onClose }: AccountDialogProps) {
  return (
    <Dialog
      title={account ? account.name : 'Add a cloud account'}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      {account ? (
        <EditedForm of={['cloud_account', tenantId, account.id]} read={readAccount(tenantId, account.id)}>
          {(read) => <AccountForm tenantId={tenantId} read={read} onClose={onClose} />}
        </EditedForm>
      ) : (
        <AccountForm tenantId={tenantId} read={undefined} onClose={onClose} />
      )}
    </Dialog>
  );
}

const readAccount = (tenant_id: number, cloud_account_id: number) => () =>
  versioned(getCloudAccount({ client, path: { tenant_id, cloud_account_id } }));

interface FormProps {
  tenantId: number;
  /** of the account that is changed */
  read: Versioned<CloudAccountDetail> | undefined;
  onClose: () => void;
}

function AccountForm({ tenantId, read, onClose }: FormProps) {
  const form = useForm<AccountValues>({ defaultValues: accountValues(read?.value) });
  const values = form.watch();
  const body = accountInput(values);
  const path = { tenant_id: tenantId };
  const {
    base: account,
    send,
    dialog,
  } = useMeanwhile<CloudAccountDetail | undefined>({
    first: read ?? { value: undefined, version: '*' },
    read: readAccount(tenantId, read?.value.id ?? 0),
    shown: (one) => accountInput(accountValues(one)),
    mine: body,
    put: (one) => form.reset(accountValues(one)),
  });
  const cloud = clouds[values.cloud];
  return (
    <Form
      form={form}
      action={account ? 'Save' : 'Add it'}
      onSubmit={async (wanted) => {
        const { cloud: name, ...changes } = accountInput(wanted);
        await send(async (version) => {
          if (account) {
            const of = { ...path, cloud_account_id: account.id };
            await updateCloudAccount({ client, path: of, body: changes, headers: { 'If-Match': version } });
          } else await createCloudAccount({ client, path, body: { cloud: name, ...changes } });
          toast(account ? `${wanted.name} is changed` : `${wanted.name} is there`);
          onClose();
          await refreshKinds(tenantId, 'cloud_account', 'limits');
        });
      }}
      beside={
        <AsCode
          command={[
            ...['cloud-accounts', account ? 'edit' : 'create', account?.name ?? (values.name || 'NAME')],
            ...(account ? [] : ['--cloud', values.cloud]),
            ...(account && values.name !== account.name ? ['--name', values.name] : []),
            ...['--account-id', values.account_id || 'ACCOUNT'],
            ...(body.region === null ? [] : ['--region', body.region]),
            ...(body.remarks === null ? [] : ['--remarks', body.remarks]),
            ...cloud.settings.flatMap(({ key }) =>
              values.settings[key] ? [`--${key.replaceAll('_', '-')}`, values.settings[key]] : [],
            ),
          ]}
          request={{
            method: account ? 'PUT' : 'POST',
            path: `/tenants/${tenantId}/cloud_accounts${account ? `/${account.id}` : ''}`,
            body,
          }}
        />
      }
    >
      <div className={styles.pair}>
        <FormText control={form.control} name="name" label="Name" isRequired autoFocus />
        <Controller
          control={form.control}
          name="cloud"
          render={({ field: { value, onChange } }) => (
            <Select
              label="Cloud"
              options={cloudNames.map((key) => ({ key, label: key }))}
              value={value}
              onChange={onChange}
              isDisabled={account !== undefined}
            />
          )}
        />
        <FormText control={form.control} name="account_id" label={cloud.account} isMono isRequired />
        <FormText control={form.control} name="region" label="Default region" isMono />
      </div>
      <div className={styles.pair}>
        {cloud.settings.map(({ key, label, about }) => (
          <FormText
            key={`${values.cloud} ${key}`}
            control={form.control}
            name={`settings.${key}`}
            label={label}
            description={about}
            isMono
          />
        ))}
      </div>
      <FormText control={form.control} name="remarks" label="Remarks" />
      {dialog}
    </Form>
  );
}
