import { useState } from 'react';
import type { ConsumerInfo, StreamInfo } from '@nats-io/jetstream';
import { filtersOf } from '@sluice/streams';
import { Button } from '@sluice/ui/button.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { formatCount, plural } from '@sluice/ui/lib/quantity.ts';
import { DataTable } from '@sluice/ui/table.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { explained, type Broker } from '../broker/session.ts';
import { usePolled } from '../lib/polled.ts';
import { PauseDialog, ResetDialog } from './consumer-dialogs.tsx';
import { consumerFigures } from './figures.tsx';
import { Stale } from './stale.tsx';
import styles from './streams.module.css';

/** The types have a number; the server sends a time. */
const lastActive = ({ last_active }: ConsumerInfo['delivered']): string | null =>
  typeof last_active === 'string' ? last_active : null;

/** more are not listed */
const mostListed = 2000;

type Kind = 'pause' | 'reset' | 'delete';

const figures = consumerFigures((consumer: ConsumerInfo) => ({
  name: consumer.name,
  isPaused: consumer.paused === true,
  pending: consumer.num_pending,
  unacknowledged: consumer.num_ack_pending,
  redelivered: consumer.num_redelivered,
  deliveredAt: lastActive(consumer.delivered),
}));

const columns = (open: (kind: Kind | 'resume', consumer: ConsumerInfo) => void): Column<ConsumerInfo>[] => [
  figures.name,
  {
    id: 'filter',
    title: 'Takes',
    wideOnly: true,
    cell: (consumer) => (
      <span className={styles.preview}>{filtersOf(consumer.config).slice(0, 5).join(', ') || 'all'}</span>
    ),
  },
  figures.pending,
  figures.unacknowledged,
  figures.redelivered,
  figures.delivered,
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
      <Stale error={value && error} onRetry={refresh} />
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
