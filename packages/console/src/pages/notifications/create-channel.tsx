import { Controller, useForm } from 'react-hook-form';
import { createChannel, type ChannelKind } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { refreshChannels } from './queries.ts';

interface CreateChannelProps {
  tenantId: number;
  onClose: () => void;
  onCreated: (channelId: number) => void;
}

interface Values {
  channel: ChannelKind;
  name: string;
  destination: string;
  remarks: string;
}

/** Makes a channel. It gets all events until it has a subscription. */
export function CreateChannel({ tenantId, onClose, onCreated }: CreateChannelProps) {
  const form = useForm<Values>({
    defaultValues: { channel: 'email', name: '', destination: '', remarks: '' },
  });
  const values = form.watch();
  const isMail = values.channel === 'email';
  const body = { ...values, remarks: values.remarks.trim() || null };
  return (
    <Dialog title="Add a channel" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Form
        form={form}
        action="Add"
        onSubmit={async () => {
          const { data } = await createChannel({ client, path: { tenant_id: tenantId }, body });
          toast(`The channel ${data.name} is there`, 'Send a test to see whether it arrives.');
          await refreshChannels(tenantId);
          onClose();
          onCreated(data.id);
        }}
        beside={
          <AsCode
            command={[
              ...['channels', 'create', values.channel, values.name || 'NAME'],
              ...(isMail ? ['--email', values.destination || 'ADDRESS'] : ['--url-file', 'address.txt']),
              ...(values.remarks === '' ? [] : ['--remarks', values.remarks]),
            ]}
            request={{ method: 'POST', path: `/tenants/${tenantId}/channels`, body }}
          />
        }
      >
        <Controller
          control={form.control}
          name="channel"
          render={({ field }) => (
            <Select
              label="Kind"
              options={[
                { key: 'email', label: 'Mail', note: 'to one address' },
                { key: 'chat', label: 'Chat', note: 'an incoming webhook' },
                { key: 'webhook', label: 'Webhook', note: 'signed JSON' },
              ]}
              value={field.value}
              onChange={field.onChange}
            />
          )}
        />
        <FormText control={form.control} name="name" label="Name" isRequired />
        <FormText
          control={form.control}
          name="destination"
          label={isMail ? 'Mail address' : 'Address'}
          placeholder={isMail ? 'team@example.com' : 'https://…'}
          description={isMail ? undefined : 'It is stored encrypted, and must not be a private one.'}
          isRequired
        />
        <FormText control={form.control} name="remarks" label="Remarks" description="A text for people." />
      </Form>
    </Dialog>
  );
}
