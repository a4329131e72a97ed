import { useState } from 'react';
import type { StreamInfo } from '@nats-io/jetstream';
import { Button } from '@sluice/ui/button.tsx';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { SearchField } from '@sluice/ui/field.tsx';
import { PlusIcon } from '@sluice/ui/icons.tsx';
import { formatCount } from '@sluice/ui/lib/quantity.ts';
import { DataTable } from '@sluice/ui/table.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';
import { explained, type Broker } from '../broker/session.ts';
import { usePolled } from '../lib/polled.ts';
import { streamFigures } from './figures.tsx';
import { Stale } from './stale.tsx';
import { StreamDialog } from './stream-dialog.tsx';
import styles from './streams.module.css';

/** more are not listed: the search by name is asked of these */
const mostListed = 5000;

const figures = streamFigures(({ config, state }: StreamInfo) => ({
  name: config.name,
  messages: state.messages,
  bytes: state.bytes,
  consumers: state.consumer_count,
  lastAt: state.messages > 0 ? state.last_ts : null,
}));

const columns: Column<StreamInfo>[] = [
  figures.name,
  {
    id: 'subjects',
    title: 'Subjects',
    wideOnly: true,
    cell: ({ config }) => <span className={styles.preview}>{config.subjects?.slice(0, 5).join(', ')}</span>,
  },
  figures.messages,
  figures.bytes,
  figures.consumers,
  {
    id: 'retention',
    title: 'Retention',
    wideOnly: true,
    sortBy: ({ config }) => config.retention,
    cell: ({ config }) => config.retention,
  },
  { ...figures.last, sortBy: ({ state }) => (state.messages > 0 ? state.last_ts : '') },
];

async function readStreams({ manager }: Broker): Promise<StreamInfo[]> {
  const found: StreamInfo[] = [];
  for await (const stream of manager.streams.list()) {
    found.push(stream);
    if (found.length === mostListed) break;
  }
  return found;
}

/** The streams of a broker with their figures. */
export function StreamList({ broker, onOpen }: { broker: Broker; onOpen: (name: string) => void }) {
  const { value, error, refresh } = usePolled(() => readStreams(broker), 5000, 'streams');
  const [text, setText] = useState('');
  const [isCreating, setCreating] = useState(false);
  const wanted = text.toLowerCase();
  const rows = value?.filter(
    ({ config }) =>
      config.name.toLowerCase().includes(wanted) ||
      config.subjects?.some((subject) => subject.toLowerCase().includes(wanted)),
  );
  return (
    <>
      <Stale error={value && error} onRetry={refresh} />
      <DataTable
        name="broker-streams"
        label="Streams"
        rows={rows}
        columns={columns}
        rowKey={({ config }) => config.name}
        onOpen={({ config }) => onOpen(config.name)}
        error={error === undefined ? undefined : explained(error)}
        onRetry={refresh}
        toolbar={
          <>
            <SearchField label="Search by name or subject" value={text} onChange={setText} />
            <Button kind="primary" icon={<PlusIcon />} onPress={() => setCreating(true)}>
              Create a stream
            </Button>
          </>
        }
        empty={
          text === '' ? (
            <EmptyState title="No stream yet">A stream keeps the messages of its subjects.</EmptyState>
          ) : (
            <EmptyState title="No stream fits" />
          )
        }
      />
      {value?.length === mostListed && (
        <p className={layout.muted}>The first {formatCount(mostListed)} streams are listed.</p>
      )}
      {isCreating && (
        <StreamDialog
          broker={broker}
          onClose={() => setCreating(false)}
          onDone={(name) => {
            refresh();
            onOpen(name);
          }}
        />
      )}
    </>
  );
}
