import { getRouteApi } from '@tanstack/react-router';
import type { Channel, ChannelKind } from '@sluice/client';
import { usePages } from '@sluice/console-core/api/pages.ts';
import { useBreadcrumb } from '@sluice/console-core/parts/breadcrumb.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { useNewDialog } from '@sluice/console-core/parts/new-dialog.ts';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Time } from '@sluice/ui/data.tsx';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { Status } from '@sluice/ui/status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';
import { CreateChannel } from './create-channel.tsx';
import { channelsQuery } from './queries.ts';

const route = getRouteApi('/t/$tenantId/notifications');

const kindNames: Record<ChannelKind, string> = { chat: 'Chat', webhook: 'Webhook', email: 'Mail' };

/** Where the tenant gets notifications: chats, webhooks and mail addresses. */
export function ChannelsPage() {
  const { tenantId } = route.useParams();
  const navigate = route.useNavigate();
  useBreadcrumb(['Notifications'], 'notifications');
  const { table } = usePages(channelsQuery(tenantId));
  const [isCreating, setCreating] = useNewDialog();
  const open = (channelId: number) =>
    void navigate({
      to: '/t/$tenantId/notifications/$channelId',
      params: { tenantId, channelId },
      search: {},
    });
  const add = <ActionButton action="createChannel" kind="primary" onPress={() => setCreating(true)} />;
  return (
    <Page
      title="Notifications"
      about="Channels tell chats, programs and people of what happens. Each gets all events, or those that it is subscribed to."
      actions={
        <>
          <AsCode
            command={['channels', 'list']}
            request={{ method: 'GET', path: `/tenants/${tenantId}/channels` }}
          />
          {add}
        </>
      }
    >
      <DataTable
        name="channels"
        label="Channels"
        {...table}
        columns={columns}
        rowKey={({ id }) => id}
        onOpen={({ id }) => open(id)}
        empty={
          <EmptyState title="No channels yet" actions={add}>
            Add one to hear of failures, alerts and bills where you work.
          </EmptyState>
        }
      />
      {isCreating && (
        <CreateChannel tenantId={tenantId} onClose={() => setCreating(false)} onCreated={open} />
      )}
    </Page>
  );
}

function NameLink({ channel: { id, name } }: { channel: Channel }) {
  return (
    <Link
      to="/t/$tenantId/notifications/$channelId"
      params={{ tenantId: useTenantId(), channelId: id }}
      className={layout.name}
    >
      {name}
    </Link>
  );
}

const columns: readonly Column<Channel>[] = [
  { id: 'name', title: 'Name', isFixed: true, cell: (channel) => <NameLink channel={channel} /> },
  { id: 'kind', title: 'Kind', cell: ({ channel }) => kindNames[channel] },
  {
    id: 'enabled',
    title: 'Status',
    cell: ({ enabled }) => <Status kind={enabled ? 'ok' : 'idle'}>{enabled ? 'On' : 'Off'}</Status>,
  },
  { id: 'changed', title: 'Changed', wideOnly: true, cell: ({ updated_at: at }) => <Time at={at} /> },
];
