import { useState } from 'react';
import type { ConsumerInfo, StreamInfo } from '@nats-io/jetstream';
import { Button } from '@sluice/ui/button.tsx';
import { Time } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { formatCount, plural } from '@sluice/ui/lib/quantity.ts';
import { Tag } from '@sluice/ui/status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { filtersOf } from '../broker/resets.ts';
import { explained, type Broker } from '../broker/session.ts';
import { usePolled } from '../lib/polled.ts';
import { PauseDialog, ResetDialog } from './consumer-dialogs.tsx';
import styles from './streams.module.css';

/** The types have a number; the server sends a time. */
const lastActive = ({ last_active }: ConsumerInfo['delivered']): string | null =>
  typeof last_active === 'string' ? last_active : null;

/** more are not listed */
const mostListed = 2000;

type Kind = 'pause' | 'reset' | 'delete';

const columns = (open: (kind: Kind | 'resume', consumer: ConsumerInfo) => void): Column<ConsumerInfo>[] => [
  {
    id: 'name',
    title: 'Consumer',
    isFixed: true,
    sortBy: ({ name }) => name,
    cell: ({ name, paused }) => (
      <span className={styles.title}>
        <strong>{name}</strong> {paused && <Tag kind="warn">paused</Tag>}
      </span>
    ),
  },
  {
    id: 'filter',
    title: 'Takes',
    wideOnly: true,
    cell: (consumer) => (
      <span className={styles.preview}>{filtersOf(consumer).slice(0, 5).join(', ') || 'all'}</span>
    ),
  },
  {
    id: 'pending',
    title: 'Lag',
    align: 'end',
    sortBy: ({ num_pending }) => num_pending,
    cell: ({ num_pending }) => formatCount(num_pending),
  },
  {
    id: 'ack',
    title: 'Not acknowledged',
    align: 'end',
    sortBy: ({ num_ack_pending }) => num_ack_pending,
    cell: ({ num_ack_pending }) => formatCount(num_ack_pending),
  },
  {
    id: 'redelivered',
    title: 'Given again',
    align: 'end',
    sortBy: ({ num_redelivered }) => num_redelivered,
    cell: ({ num_redelivered }) => formatCount(num_redelivered),
  },
  {
    id: 'last',
    title: 'Last given',
    wideOnly: true,
    cell: ({ delivered }) => <Time at={lastActive(delivered)} />,
  },
  {
    id: 'actions',
    title: 'Actions',
    isFixed: true,
    cell: (consumer) => (
      <span className={styles.tools}>
        <Button
          size="small"
          aria-label={`${consumer.paused ? 'Resume' : 'Pause'} ${consumer.name}`}
          onPress={() => open(consumer.paused ? 'resume' : 'pause', consumer)}
        >
          {consumer.paused ? 'Resume' : 'Pause'}
        </Button>
        <Button size="small" aria-label={`Reset ${consumer.name}`} onPress={() => open('reset', consumer)}>
          Reset
        </Button>
        <Button size="small" aria-label={`Delete ${consumer.name}`} onPress={() => open('delete', consumer)}>
          Delete
        </Button>
      </span>
    ),
  },
];

async function readConsumers({ manager }: Broker, stream: string): Promise<ConsumerInfo[]> {
  const found: ConsumerInfo[] = [];
  for await (const consumer of manager.consumers.list(stream)) {
    found.push(consumer);
    if (found.length === mostListed) break;
  }
  return found;
}

/** The consumers of a stream: how far they are, and what can be done with them. */
export function Consumers({ broker, stream }: { broker: Broker; stream: StreamInfo }) {
  const { name } = stream.config;
  const { value, error, refresh } = usePolled(() => readConsumers(broker, name), 2000, name);
  const [open, setOpen] = useState<{ kind: Kind; consumer: ConsumerInfo }>();
  const { consumers } = broker.manager;
  const act = (kind: Kind | 'resume', consumer: ConsumerInfo) => {
    if (kind !== 'resume') return setOpen({ kind, consumer });
    void consumers.resume(name, consumer.name).then(
      () => {
        toast(`${consumer.name} goes on`);
        refresh();
      },
      (thrown: unknown) => toastError(explained(thrown)),
    );
  };
  const close = () => {
    setOpen(undefined);
    refresh();
  };
  const consumer = open?.consumer;
  return (
    <>
      <DataTable
        name="broker-consumers"
        label={`Consumers of ${name}`}
        rows={value}
        columns={columns(act)}
        rowKey={(row) => row.name}
        error={error === undefined ? undefined : explained(error)}
        onRetry={refresh}
        empty={
          <EmptyState title="No consumer">A consumer is how clients read what the stream keeps.</EmptyState>
        }
      />
      {value?.length === mostListed && (
        <p className={layout.muted}>The first {formatCount(mostListed)} consumers are listed.</p>
      )}
      {consumer && open.kind === 'pause' && <PauseDialog {...{ broker, consumer }} onClose={close} />}
      {consumer && open.kind === 'reset' && <ResetDialog {...{ broker, stream, consumer }} onClose={close} />}
      <ConfirmDialog
        title={`Delete ${consumer?.name ?? ''}`}
        isOpen={open?.kind === 'delete'}
        onOpenChange={(isOpen) => !isOpen && close()}
        action="Delete the consumer"
        name={consumer?.name}
        onConfirm={async () => {
          if (!consumer) return;
          await consumers.delete(name, consumer.name).catch((thrown: unknown) => {
            throw explained(thrown);
          });
          toast(`${consumer.name} is deleted`);
        }}
      >
        Its clients stop, and how far it was is forgotten:{' '}
        {plural((consumer?.num_pending ?? 0) + (consumer?.num_ack_pending ?? 0), 'message')} were still to be
        read.
      </ConfirmDialog>
    </>
  );
}
