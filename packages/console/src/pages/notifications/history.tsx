import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ChannelDetail, Notification } from '@sluice/client';
import { usePages } from '@sluice/console-core/api/pages.ts';
import type { ShownStatus } from '@sluice/ui/lib/status.ts';
import { plural } from '@sluice/ui/lib/quantity.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { ComboBox } from '@sluice/ui/choice.tsx';
import { Card, DescriptionList, Time } from '@sluice/ui/data.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { Status } from '@sluice/ui/status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';
import { historyQuery, typesQuery } from './queries.ts';
import styles from './notifications.module.css';

const route = getRouteApi('/t/$tenantId/notifications/$channelId');

const statuses: Record<Notification['status'], ShownStatus> = {
  pending: { kind: 'busy', word: 'On its way' },
  delivered: { kind: 'ok', word: 'Delivered' },
  failed: { kind: 'bad', word: 'Failed' },
  throttled: { kind: 'idle', word: 'Left out' },
};

/** What was sent to a channel in the last 30 days, and why something was not. */
export function History({ tenantId, channel }: { tenantId: number; channel: ChannelDetail }) {
  const { type } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: types } = useQuery(typesQuery);
  const { table } = usePages(historyQuery(tenantId, channel.id, type));
  const [opened, setOpened] = useState<Notification>();
  const nameOf = (slug: string) =>
    slug === 'channel_test' ? 'Test message' : (types?.find((one) => one.type === slug)?.name ?? slug);
  return (
    <Card
      title="History"
      actions={
        <AsCode
          command={['channels', 'history', channel.name, ...(type ? ['--type', type] : [])]}
          request={{
            method: 'GET',
            path: `/tenants/${tenantId}/channels/${channel.id}/notifications`,
            query: { message_type: type },
          }}
        />
      }
    >
      <DataTable
        name="notifications"
        label="Notifications of the channel"
        {...table}
        columns={columnsFor(nameOf)}
        rowKey={({ id }) => id}
        onOpen={setOpened}
        toolbar={
          <ComboBox
            hideLabel
            label="Type"
            placeholder="Any type"
            options={[
              { key: 'channel_test', label: 'Test message' },
              ...(types ?? []).map((one) => ({ key: one.type, label: one.name })),
            ]}
            value={types && type ? type : null}
            onChange={(key) => void navigate({ search: key === null ? {} : { type: key }, replace: true })}
          />
        }
        empty={
          <EmptyState title="Nothing was sent">
            {type ? 'Nothing of this type, in the last 30 days.' : 'Send a test to see whether it arrives.'}
          </EmptyState>
        }
      />
      {opened && (
        <Dialog
          title={nameOf(opened.message_type)}
          isOpen
          onOpenChange={(isOpen) => !isOpen && setOpened(undefined)}
          buttons={(close) => (
            <Button kind="primary" onPress={close}>
              Close
            </Button>
          )}
        >
          <DescriptionList
            items={[
              ['Status', <Mark key="status" status={opened.status} />],
              ['Reason', opened.reason],
              ['Attempts', String(opened.attempts)],
              ['Made', <Time key="made" at={opened.created_at} isExact />],
              ['Delivered', opened.delivered_at && <Time key="at" at={opened.delivered_at} isExact />],
            ]}
          />
          <pre className={styles.content} tabIndex={0} aria-label="Text">
            {opened.content}
          </pre>
        </Dialog>
      )}
    </Card>
  );
}

function Mark({ status }: { status: Notification['status'] }) {
  const { kind, word } = statuses[status];
  return <Status kind={kind}>{word}</Status>;
}

const columnsFor = (nameOf: (type: string) => string): Column<Notification>[] => [
  { id: 'time', title: 'When', isFixed: true, cell: ({ created_at: at }) => <Time at={at} /> },
  {
    id: 'type',
    title: 'What',
    isFixed: true,
    cell: ({ message_type: type }) => <span className={layout.name}>{nameOf(type)}</span>,
  },
  { id: 'status', title: 'Status', cell: ({ status }) => <Mark status={status} /> },
  {
    id: 'reason',
    title: 'Reason',
    wideOnly: true,
    cell: ({ reason, attempts, status }) => (
      <span className={layout.muted}>
        {[reason, attempts > 1 && status !== 'delivered' ? plural(attempts, 'attempt') : null]
          .filter((part) => part !== null)
          .join(' · ') || '–'}
      </span>
    ),
  },
];
