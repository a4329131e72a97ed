import { Controller, useForm } from 'react-hook-form';
import { updateChannel, type ChannelDetail } from '@sluice/client';
import { sluice as client } from '../../api/client.ts';
import { useAllowed } from '../../parts/allowed.tsx';
import { AsCode } from '../../parts/as-code.tsx';
import { SecretField } from '@sluice/ui/copy.tsx';
import { Card, DescriptionList } from '@sluice/ui/data.tsx';
import { Switch } from '@sluice/ui/field.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { refreshChannels } from './queries.ts';

interface Values {
  name: string;
  destination: string;
  remarks: string;
  enabled: boolean;
}

/** What a channel is called and where it leads. A destination that is as it was is not sent: readers see only its host. */
export function ChannelForm({ tenantId, channel }: { tenantId: number; channel: ChannelDetail }) {
  const { id, name, destination, enabled, signing_secret: secret } = channel;
  const form = useForm<Values>({
    defaultValues: { name, destination, enabled, remarks: channel.remarks ?? '' },
  });
  const { reason } = useAllowed('changeChannel');
  const values = form.watch();
  const body = {
    name: values.name,
    enabled: values.enabled,
    remarks: values.remarks.trim() || null,
    ...(values.destination !== destination && { destination: values.destination }),
  };
  return (
    <Card title="Settings">
      <div className={layout.stack}>
        {secret !== null && (
          <DescriptionList
            items={[
              [
                'Signing secret',
                <SecretField key="secret" label="signing secret" read={() => Promise.resolve(secret)} />,
              ],
            ]}
          />
        )}
        <Form
          form={form}
          action="Save"
          disabledReason={reason}
          onSubmit={async () => {
            await updateChannel({ client, path: { tenant_id: tenantId, channel_id: id }, body });
            toast('The channel is changed');
            await refreshChannels(tenantId);
          }}
          beside={
            <AsCode
              command={[
                ...['channels', 'edit', name],
                ...(values.name === name ? [] : ['--name', values.name]),
                ...(values.enabled === enabled ? [] : [values.enabled ? '--on' : '--off']),
              ]}
              request={{ method: 'PUT', path: `/tenants/${tenantId}/channels/${id}`, body }}
            />
          }
        >
          <FormText control={form.control} name="name" label="Name" isRequired />
          <FormText
            control={form.control}
            name="destination"
            label={channel.channel === 'email' ? 'Mail address' : 'Address'}
            isRequired
          />
          <FormText control={form.control} name="remarks" label="Remarks" />
          <Controller
            control={form.control}
            name="enabled"
            render={({ field }) => (
              <Switch isSelected={field.value} onChange={field.onChange}>
                It gets notifications
              </Switch>
            )}
          />
        </Form>
      </div>
    </Card>
  );
}
