import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { deleteChannelSubscription, type ChannelDetail, type ChannelSubscription } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { formatCount } from '@sluice/ui/lib/quantity.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { refreshChannels, subscriptionsQuery, typesQuery } from './queries.ts';
import { SubscribeDialog } from './subscribe-dialog.tsx';
import styles from './notifications.module.css';

interface SubscriptionsProps {
  tenantId: number;
  channel: ChannelDetail;
}

/** Which events a channel gets: those that match at least one subscription, or all without any. */
export function Subscriptions({ tenantId, channel }: SubscriptionsProps) {
  const { data, error, refetch } = useQuery(subscriptionsQuery(tenantId, channel.id));
  const { data: types } = useQuery(typesQuery);
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<ChannelSubscription>();
  const namesOf = ({ message_types: slugs }: ChannelSubscription) =>
    slugs.map((slug) => types?.find(({ type }) => type === slug)?.name ?? slug).join(', ');
  return (
    <Card
      title="Subscriptions"
      flush
      actions={<ActionButton action="createSubscription" size="small" onPress={() => setAdding(true)} />}
    >
      {!data &&
        (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={3} />)}
      {data?.items.length === 0 && (
        <p className={layout.pad}>It gets all events. With a subscription it gets only what that names.</p>
      )}
      <ul className={styles.list}>
        {data?.items.map((subscription) => (
          <li key={subscription.id}>
            <div className={styles.about}>
              <p>{namesOf(subscription)}</p>
              <p className={layout.muted}>
                {subscription.scope_divisions
                  ? `In ${subscription.scope_divisions.map(({ name }) => name).join(', ')}`
                  : 'As far as the channel reaches'}
                {subscription.consumer_lag_threshold !== null &&
                  subscription.consumer_lag_threshold !== undefined &&
                  `, lags of ${formatCount(subscription.consumer_lag_threshold)} messages or more`}
              </p>
            </div>
            <ActionButton action="deleteSubscription" size="small" onPress={() => setRemoved(subscription)} />
          </li>
        ))}
      </ul>
      {isAdding && (
        <SubscribeDialog
          tenantId={tenantId}
          channel={channel}
          types={types ?? []}
          onClose={() => setAdding(false)}
        />
      )}
      {removed && (
        <ConfirmDialog
          title="Remove the subscription"
          isOpen
          onOpenChange={(isOpen) => !isOpen && setRemoved(undefined)}
          action="Remove"
          onConfirm={async () => {
            await deleteChannelSubscription({
              client,
              path: { tenant_id: tenantId, channel_id: channel.id, subscription_id: removed.id },
            });
            toast('The subscription is removed');
            await refreshChannels(tenantId);
          }}
        >
          <p>
            {data?.items.length === 1
              ? 'It is the last one: without any the channel gets all events.'
              : 'The channel gets what its other subscriptions name.'}
          </p>
          <AsCode
            command={['subscriptions', 'delete', channel.name, String(removed.id), '--yes']}
            request={{
              method: 'DELETE',
              path: `/tenants/${tenantId}/channels/${channel.id}/subscriptions/${removed.id}`,
            }}
          />
        </ConfirmDialog>
      )}
    </Card>
  );
}
