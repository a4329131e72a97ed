import { useState } from 'react';
import type { PurgeOpts, StreamInfo } from '@nats-io/jetstream';
import { Button } from '@sluice/ui/button.tsx';
import { Card, DescriptionList, Figures, Time } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { TextField } from '@sluice/ui/field.tsx';
import { formatBytes, formatCount, plural } from '@sluice/ui/lib/quantity.ts';
import { durationText } from '@sluice/ui/lib/time.ts';
import { Tabs } from '@sluice/ui/tabs.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { ShownError } from '@sluice/ui/lib/problems.ts';
import { explained, type Broker } from '../broker/session.ts';
import { usePolled } from '../lib/polled.ts';
import { Consumers } from './consumers.tsx';
import { Messages } from './messages.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { StreamDialog } from './stream-dialog.tsx';
import { Stale } from './stale.tsx';
import { Subjects } from './subjects.tsx';
import { Tail } from './tail.tsx';
import styles from './streams.module.css';

interface StreamDetailProps {
  broker: Broker;
  name: string;
  onBack: () => void;
}

/** One stream: its figures, its messages, its consumers, and what can be done with it. */
export function StreamDetail({ broker, name, onBack }: StreamDetailProps) {
  const { value: stream, error, refresh } = usePolled(() => broker.manager.streams.info(name), 3000, name);
  const [open, setOpen] = useState<'publish' | 'edit' | 'purge' | 'delete'>();
  const [part, setPart] = useState('messages');
  const [subject, setSubject] = useState('');
  const showMessagesOf = (chosen: string) => {
    setSubject(chosen);
    setPart('messages');
  };
  const close = () => {
    setOpen(undefined);
    refresh();
  };
  if (!stream)
    return (
      <div className={layout.closeStack}>
        <div>
          <Button onPress={onBack}>All streams</Button>
        </div>
        {error === undefined ? (
          <SkeletonLines count={8} />
        ) : (
          <ErrorState error={explained(error)} onRetry={refresh} />
        )}
      </div>
    );
  const { state, config } = stream;
  const firstOf = (all: readonly string[] | undefined) => all?.find((one) => !/[*>]/.test(one)) ?? '';
  return (
    <div className={layout.closeStack}>
      <div className={styles.head}>
        <div className={styles.title}>
          <Button onPress={onBack}>All streams</Button>
          <h2>{name}</h2>
        </div>
        <div className={styles.tools}>
          <Button kind="primary" onPress={() => setOpen('publish')}>
            Publish
          </Button>
          <Button onPress={() => setOpen('edit')}>Change</Button>
          <Button onPress={() => setOpen('purge')}>Purge</Button>
          <Button onPress={() => setOpen('delete')}>Delete</Button>
        </div>
      </div>
      <Stale error={error} onRetry={refresh} />
      <Figures
        items={[
          { name: 'Messages', value: formatCount(state.messages) },
          { name: 'Size', value: formatBytes(state.bytes) },
          { name: 'Subjects', value: formatCount(state.num_subjects ?? 0) },
          { name: 'Consumers', value: formatCount(state.consumer_count) },
          {
            name: 'Sequences',
            value: state.messages > 0 ? `${state.first_seq} – ${state.last_seq}` : '–',
            note: state.messages > 0 && <Time at={state.last_ts} />,
          },
        ]}
      />
      <Tabs
        label={`Parts of ${name}`}
        selected={part}
        onSelect={setPart}
        items={[
          {
            key: 'messages',
            title: 'Messages',
            content: <Messages {...{ broker, stream, subject, onSubject: setSubject, onChange: refresh }} />,
          },
          { key: 'live', title: 'Live', content: <Tail broker={broker} stream={stream} /> },
          {
            key: 'subjects',
            title: 'Subjects',
            content: <Subjects broker={broker} stream={name} onChoose={showMessagesOf} />,
          },
          { key: 'consumers', title: 'Consumers', content: <Consumers broker={broker} stream={stream} /> },
          { key: 'configuration', title: 'Configuration', content: <Configuration stream={stream} /> },
        ]}
      />
      {open === 'publish' && (
        <PublishDialog broker={broker} draft={{ subject: firstOf(config.subjects) }} onClose={close} />
      )}
      {open === 'edit' && (
        <StreamDialog broker={broker} stream={stream} onClose={close} onDone={() => toast('Saved')} />
      )}
      {open === 'purge' && <PurgeDialog broker={broker} stream={stream} onClose={close} />}
      <ConfirmDialog
        title={`Delete ${name}`}
        isOpen={open === 'delete'}
        onOpenChange={(isOpen) => !isOpen && setOpen(undefined)}
        action="Delete the stream"
        name={name}
        onConfirm={async () => {
          await broker.manager.streams.delete(name).catch((thrown: unknown) => {
            throw explained(thrown);
          });
          toast(`${name} is deleted`);
          onBack();
        }}
      >
        {plural(state.messages, 'message')} and {plural(state.consumer_count, 'consumer')} are deleted with
        it.
      </ConfirmDialog>
    </div>
  );
}

function PurgeDialog({
  broker,
  stream,
  onClose,
}: {
  broker: Broker;
  stream: StreamInfo;
  onClose: () => void;
}) {
  const [filter, setFilter] = useState('');
  const [keep, setKeep] = useState('');
  const { name } = stream.config;
  const isCount = /^\d{0,15}$/.test(keep);
  return (
    <ConfirmDialog
      title={`Purge ${name}`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      action="Delete the messages"
      name={name}
      onConfirm={async () => {
        // what is no number would keep nothing
        if (!isCount) throw new ShownError('bad_count', 'This is no number of messages', keep);
        const ofSubject = filter.trim() !== '' && { filter: filter.trim() };
        const kept = keep === '' ? undefined : Number(keep);
        const options: PurgeOpts | undefined =
          kept === undefined ? ofSubject || undefined : { ...ofSubject, keep: kept };
        const { purged } = await broker.manager.streams.purge(name, options).catch((thrown: unknown) => {
          throw explained(thrown);
        });
        toast(`${plural(purged, 'message')} deleted`);
      }}
    >
      <div className={layout.closeStack}>
        <p>
          Without more said here all messages are deleted: {formatCount(stream.state.messages)}. The stream
          stays.
        </p>
        <TextField
          label="Only of this subject"
          description="It can have wildcards."
          value={filter}
          onChange={setFilter}
          isMono
        />
        <TextField
          label="Keep so many of the newest"
          value={keep}
          onChange={setKeep}
          error={isCount ? undefined : 'A whole number, or nothing.'}
        />
      </div>
    </ConfirmDialog>
  );
}

const limitOf = (limit: number | undefined, text: (limit: number) => string) =>
  limit === undefined || limit <= 0 ? 'no limit' : text(limit);

function Configuration({ stream: { config, created, cluster } }: { stream: StreamInfo }) {
  const sources = config.mirror ? [config.mirror] : (config.sources ?? []);
  return (
    <Card title="Configuration">
      <DescriptionList
        items={[
          ['Description', config.description],
          ['Created', <Time key="created" at={created} />],
          [
            'Subjects',
            <span key="subjects" className={styles.mono}>
              {config.subjects?.slice(0, 100).join(' ')}
            </span>,
          ],
          ['Filled from', sources.map((source) => source.name).join(', ')],
          ['Retention', config.retention],
          ['Storage', config.storage],
          ['Copies', `${config.num_replicas}${cluster?.leader ? `, led by ${cluster.leader}` : ''}`],
          ['Most messages', limitOf(config.max_msgs, formatCount)],
          ['Most bytes', limitOf(config.max_bytes, formatBytes)],
          ['Oldest message', limitOf(config.max_age, (age) => durationText(age / 1e6))],
          ['Most messages of a subject', limitOf(config.max_msgs_per_subject, formatCount)],
          ['Largest message', limitOf(config.max_msg_size, formatBytes)],
          [
            'When it is full',
            config.discard === 'new' ? 'refuses new messages' : 'deletes the oldest messages',
          ],
          ['Knows ids again for', durationText((config.duplicate_window ?? 0) / 1e6)],
          ['Takes messages', config.sealed ? 'no: it is sealed' : 'yes'],
        ]}
      />
    </Card>
  );
}
