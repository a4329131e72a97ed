import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import {
  createChannelSubscription,
  type ChannelDetail,
  type ConsumerLagThreshold,
  type NotificationTypeEntry,
} from '@sluice/client';
import { consumerLagThresholds, defaultConsumerLag } from '@sluice/contracts/consumer-lag';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { structureQuery } from '@sluice/console-core/api/queries.ts';
import { formatCount } from '@sluice/ui/lib/quantity.ts';
import { placeOptions } from '@sluice/console-core/lib/place-options.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { Checkbox, SearchField } from '@sluice/ui/field.tsx';
import { Form } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { refreshChannels } from './queries.ts';
import styles from './notifications.module.css';

interface SubscribeDialogProps {
  tenantId: number;
  channel: ChannelDetail;
  types: readonly NotificationTypeEntry[];
  onClose: () => void;
}

interface Values {
  message_types: string[];
  /** of alerts of consumers that lag */
  lag: string;
  /** the key of a place; empty for all */
  place: string;
}

/** Subscribes a channel to types of events, everywhere or at one place. */
export function SubscribeDialog({ tenantId, channel, types, onClose }: SubscribeDialogProps) {
  const { data: structure } = useQuery(structureQuery(tenantId));
  const [words, setWords] = useState('');
  const form = useForm<Values>({
    defaultValues: { message_types: [], lag: String(defaultConsumerLag), place: '' },
  });
  const { message_types, lag, place: key } = form.watch();
  const isOfLag = message_types.some((type) => type.startsWith('consumer_lag_'));
  const places = structure ? placeOptions(structure) : [];
  const place = places.find((one) => one.key === key);
  const body = {
    message_types,
    ...(isOfLag && { consumer_lag_threshold: Number(lag) as ConsumerLagThreshold }),
    ...(place && place.environment === null && { scope_division_ids: [place.division] }),
    ...(place && place.environment !== null && { scope_environment_ids: [place.environment] }),
  };
  const { message } = form.formState.errors.message_types ?? {};
  const shown = types.filter(({ name }) => name.toLowerCase().includes(words.trim().toLowerCase()));
  return (
    <Dialog title="Add a subscription" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Form
        form={form}
        action="Subscribe"
        onSubmit={async () => {
          if (message_types.length === 0) {
            form.setError('message_types', { message: 'Choose at least one type.' });
            return;
          }
          await createChannelSubscription({
            client,
            path: { tenant_id: tenantId, channel_id: channel.id },
            body,
          });
          toast('The channel is subscribed');
          await refreshChannels(tenantId);
          onClose();
        }}
        beside={
          <AsCode
            command={[
              ...['subscriptions', 'create', channel.name, '--types', message_types.join(',') || 'TYPES'],
              ...(isOfLag ? ['--lag', lag] : []),
              ...(place ? ['--at', place.label] : []),
            ]}
            request={{
              method: 'POST',
              path: `/tenants/${tenantId}/channels/${channel.id}/subscriptions`,
              body,
            }}
          />
        }
      >
        <SearchField label="Search in the types" value={words} onChange={setWords} />
        <Controller
          control={form.control}
          name="message_types"
          render={({ field: { value, onChange } }) => (
            <div className={styles.types} role="group" aria-label="Types of events">
              {shown.map(({ type, name }) => (
                <Checkbox
                  key={type}
                  isSelected={value.includes(type)}
                  onChange={(isOn) =>
                    onChange(isOn ? [...value, type] : value.filter((other) => other !== type))
                  }
                >
                  {name}
                </Checkbox>
              ))}
            </div>
          )}
        />
        {message !== undefined && <p role="alert">{message}</p>}
        {isOfLag && (
          <Controller
            control={form.control}
            name="lag"
            render={({ field }) => (
              <Select
                label="Messages that a consumer lags by"
                options={consumerLagThresholds.map((count) => ({
                  key: String(count),
                  label: `${formatCount(count)} or more`,
                }))}
                value={field.value}
                onChange={(chosen) => field.onChange(chosen ?? String(defaultConsumerLag))}
              />
            )}
          />
        )}
        <Controller
          control={form.control}
          name="place"
          render={({ field }) => (
            <Select
              label="Where"
              options={[
                { key: '', label: 'Everywhere' },
                ...places.map((one) => ({ key: one.key, label: one.label })),
              ]}
              value={field.value}
              onChange={(chosen) => field.onChange(chosen ?? '')}
            />
          )}
        />
      </Form>
    </Dialog>
  );
}
