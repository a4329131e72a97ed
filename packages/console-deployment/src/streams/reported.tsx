import type { Stream, StreamConsumer } from '@sluice/client';
import { Button } from '@sluice/ui/button.tsx';
import { Card, Time } from '@sluice/ui/data.tsx';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { consumerFigures, streamFigures } from '@sluice/stream-ui/parts/figures.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import { usePages } from '@sluice/console-core/api/pages.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { useDeployment } from '../deployment-context.ts';
import layout from '@sluice/ui/layout.module.css';
import { LagCard } from './lag-card.tsx';
import { consumersQuery, streamsQuery } from './queries.ts';

const ofStreams = streamFigures(({ last_at: lastAt, ...stream }: Stream) => ({ ...stream, lastAt }));

const streamColumns: Column<Stream>[] = [
  ofStreams.name,
  {
    id: 'subjects',
    title: 'Subjects',
    wideOnly: true,
    cell: ({ subjects, subjects_total: total }) =>
      `${subjects.slice(0, 3).join(', ')}${total > 3 ? ` and ${total - 3} more` : ''}`,
  },
  ofStreams.messages,
  ofStreams.bytes,
  ofStreams.consumers,
  ofStreams.last,
  {
    id: 'reported',
    title: 'Reported',
    wideOnly: true,
    cell: ({ reported_at: at }) => <Time at={at} />,
  },
];

const ofConsumers = consumerFigures((consumer: StreamConsumer) => ({
  name: consumer.name,
  isPaused: consumer.paused,
  pending: consumer.pending,
  unacknowledged: consumer.ack_pending,
  redelivered: consumer.redelivered,
  deliveredAt: consumer.delivered_at,
}));

const consumerColumns: Column<StreamConsumer>[] = [
  ofConsumers.name,
  ofConsumers.pending,
  ofConsumers.unacknowledged,
  ofConsumers.redelivered,
  ofConsumers.delivered,
  { id: 'reported', title: 'Reported', wideOnly: true, cell: ({ reported_at: at }) => <Time at={at} /> },
];

interface ReportedProps {
  open: string | undefined;
  onOpen: (name: string | undefined) => void;
}

/** What agents report of streams and consumers: no login of the broker is needed. */
export function Reported({ open, onOpen }: ReportedProps) {
  return open === undefined ? (
    <ReportedStreams onOpen={onOpen} />
  ) : (
    <ReportedConsumers stream={open} onOpen={onOpen} />
  );
}

function ReportedStreams({ onOpen }: Pick<ReportedProps, 'onOpen'>) {
  const deployment = useDeployment();
  const { table } = usePages(streamsQuery(deployment));
  return (
    <Card
      title="Streams"
      flush
      actions={
        <AsCode
          command={['streams', 'list', deployment.words]}
          request={{
            method: 'GET',
            path: `/deployments/${deployment.path.deployment_id}/streams`,
            layer: 'supervisor',
          }}
        />
      }
    >
      <DataTable
        {...table}
        name="streams"
        label="Streams"
        columns={streamColumns}
        rowKey={({ name }) => name}
        onOpen={({ name }) => onOpen(name)}
        isBare
        empty={
          <EmptyState title="No stream is reported">
            Agents report new ones after some seconds. A session shows them at once, and creates them.
          </EmptyState>
        }
      />
    </Card>
  );
}

function ReportedConsumers({ stream, onOpen }: { stream: string; onOpen: ReportedProps['onOpen'] }) {
  const deployment = useDeployment();
  const { table } = usePages(consumersQuery(deployment, stream));
  return (
    <div className={layout.stack}>
      <Card
        title={`Consumers of ${stream}`}
        flush
        actions={
          <AsCode
            command={['consumers', 'list', stream, deployment.words]}
            request={{
              method: 'GET',
              path: `/deployments/${deployment.path.deployment_id}/streams/${encodeURIComponent(stream)}/consumers`,
              layer: 'supervisor',
            }}
          />
        }
      >
        <DataTable
          {...table}
          name="consumers"
          label={`Consumers of ${stream}`}
          columns={consumerColumns}
          rowKey={({ name }) => name}
          isBare
          toolbar={<Button onPress={() => onOpen(undefined)}>All streams</Button>}
          empty={<EmptyState title="No consumer is reported" />}
        />
      </Card>
      {table.rows && table.rows.length > 0 && (
        <LagCard stream={stream} names={table.rows.map(({ name }) => name)} />
      )}
    </div>
  );
}
