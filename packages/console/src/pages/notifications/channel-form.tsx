import { Controller, useForm } from 'react-hook-form';
import { getChannel, updateChannel, type ChannelDetail } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { versioned, type Versioned } from '@sluice/console-core/api/versions.ts';
import { useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { EditedForm } from '@sluice/console-core/parts/edited-form.tsx';
import { useMeanwhile } from '@sluice/console-core/parts/meanwhile.tsx';
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
export function ChannelForm({ tenantId, channelId }: { tenantId: number; channelId: number }) {
  return (
    <Card title="Settings">
      <EditedForm of={['channel', tenantId, channelId]} read={readChannel(tenantId, channelId)}>
        {(first) => <ReadForm tenantId={tenantId} first={first} />}
      </EditedForm>
    </Card>
  );
}

const readChannel = (tenant_id: number, channel_id: number) => () =>
  versioned(getChannel({ client, path: { tenant_id, channel_id } }));

const valuesOf = ({ name, destination, enabled, remarks }: ChannelDetail): Values => ({
  ...{ name, destination, enabled },
  remarks: remarks ?? '',
});

function ReadForm({ tenantId, first }: { tenantId: number; first: Versioned<ChannelDetail> }) {
  const form = useForm<Values>({ defaultValues: valuesOf(first.value) });
  const { reason } = useAllowed('changeChannel');
  const values = form.watch();
  const {
    base: channel,
    send,
    takeNow,
    dialog,
  } = useMeanwhile({
    first,
    read: readChannel(tenantId, first.value.id),
    shown: valuesOf,
    mine: values,
    put: (now) => form.reset(valuesOf(now)),
  });
  const { id, name, destination, enabled, signing_secret: secret } = channel;
  const body = {
    name: values.name,
    enabled: values.enabled,
    remarks: values.remarks.trim() || null,
    ...(values.destination !== destination && { destination: values.destination }),
  };
  return (
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
        onSubmit={() =>
          send(async (version) => {
            const path = { tenant_id: tenantId, channel_id: id };
            await updateChannel({ client, path, body, headers: { 'If-Match': version } });
            toast('The channel is changed');
            await refreshChannels(tenantId);
            await takeNow();
          })
        }
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
      {dialog}
    </div>
  );
}
