import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { deleteChannel, testChannel, type ChannelDetail } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { useBreadcrumb } from '@sluice/console-core/parts/breadcrumb.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { ErrorState, PartialState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { Status } from '@sluice/ui/status.tsx';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import { ChannelForm } from './channel-form.tsx';
import { History } from './history.tsx';
import { channelQuery, refreshChannels } from './queries.ts';
import { Subscriptions } from './subscriptions.tsx';
import styles from './notifications.module.css';

const route = getRouteApi('/t/$tenantId/notifications/$channelId');

/** One channel: what it gets, what was sent to it and what became of that. */
export function ChannelPage() {
  const { tenantId, channelId } = route.useParams();
  const { data: channel, error, refetch } = useQuery(channelQuery(tenantId, channelId));
  useBreadcrumb(
    [
      <Link key="all" to="/t/$tenantId/notifications" params={{ tenantId }}>
        Notifications
      </Link>,
      <span key="name">{channel?.name ?? ''}</span>,
    ],
    channel?.name ?? '',
  );
  if (!channel)
    return (
      <Page title={error ? 'Channel' : ' '}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={8} />}
      </Page>
    );
  return <Opened tenantId={tenantId} channel={channel} />;
}

function Opened({ tenantId, channel }: { tenantId: number; channel: ChannelDetail }) {
  const { id, name, enabled, unsubscribed_at: unsubscribed } = channel;
  const navigate = route.useNavigate();
  const [isTesting, setTesting] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const path = { tenant_id: tenantId, channel_id: id };
  const address = `/tenants/${tenantId}/channels/${id}`;
  const test = async () => {
    setTesting(true);
    try {
      await testChannel({ client, path });
      toast('A test message is on its way', 'What becomes of it is in the history.');
      await refreshChannels(tenantId);
    } catch (thrown) {
      toastError(thrown);
    }
    setTesting(false);
  };
  return (
    <Page
      title={name}
      mark={<Status kind={enabled ? 'ok' : 'idle'}>{enabled ? 'On' : 'Off'}</Status>}
      about={channel.remarks ?? undefined}
      actions={
        <>
          <AsCode
            command={['channels', 'test', name]}
            request={{ method: 'POST', path: `${address}/test` }}
          />
          <ActionButton action="testChannel" isPending={isTesting} onPress={() => void test()} />
          <ActionButton action="deleteChannel" kind="danger" onPress={() => setDeleting(true)} />
        </>
      }
    >
      {unsubscribed !== null && (
        <PartialState>The mail address has unsubscribed. Nothing is sent to it.</PartialState>
      )}
      <div className={styles.columns}>
        <ChannelForm key={id} tenantId={tenantId} channelId={id} />
        <Subscriptions tenantId={tenantId} channel={channel} />
      </div>
      <History tenantId={tenantId} channel={channel} />
      <ConfirmDialog
        title={`Delete the channel ${name}`}
        isOpen={isDeleting}
        onOpenChange={setDeleting}
        action="Delete"
        name={name}
        onConfirm={async () => {
          await deleteChannel({ client, path });
          toast(`The channel ${name} is deleted`);
          await navigate({ to: '/t/$tenantId/notifications', params: { tenantId } });
          await refreshChannels(tenantId);
        }}
      >
        <p>Its subscriptions and its history are deleted for good, and what waits is not delivered.</p>
        <AsCode
          command={['channels', 'delete', name, '--yes']}
          request={{ method: 'DELETE', path: address }}
        />
      </ConfirmDialog>
    </Page>
  );
}
