import { useState } from 'react';
import type { StreamInfo } from '@nats-io/jetstream';
import { Button } from '@sluice/ui/button.tsx';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { Switch, TextField } from '@sluice/ui/field.tsx';
import { formatCount } from '@sluice/ui/lib/quantity.ts';
import { saveFile } from '@sluice/ui/lib/save-file.ts';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { newestMessages, sequenceAt, storedMessages, type Range, type StoredMessage } from '@sluice/streams';
import { exportMessages } from '../broker/export.ts';
import { explained, type Broker } from '../broker/session.ts';
import { mostKept } from '../lib/payload.ts';
import { positionOf } from '../lib/position.ts';
import { usePolled } from '../lib/polled.ts';
import { MessageTable } from './message-table.tsx';
import { MessageSearch } from './message-search.tsx';
import styles from './streams.module.css';

/** messages at once */
const pageLength = 50;

/** Where a page begins, or the sequence after its last message; neither for the newest. */
interface At {
  from?: number;
  before?: number;
}

interface MessagesProps {
  broker: Broker;
  stream: StreamInfo;
  /** of which messages are shown; empty for all */
  subject: string;
  onSubject: (subject: string) => void;
  onChange: () => void;
}

async function readPage(broker: Broker, stream: string, at: At, subject: string): Promise<StoredMessage[]> {
  const info = await broker.manager.streams.info(stream);
  const { first_seq: first, last_seq: last, messages } = info.state;
  if (messages === 0) return [];
  const filter = subject === '' ? {} : { subject };
  if (at.from === undefined) {
    const range = { first, last: Math.min(last, (at.before ?? last + 1) - 1), ...filter };
    return (await newestMessages(broker, info, range, pageLength, mostKept)).reverse();
  }
  const found: StoredMessage[] = [];
  for await (const message of storedMessages(broker, info, { first: at.from, last, ...filter }, mostKept)) {
    found.push(message);
    if (found.length === pageLength) break;
  }
  return found.reverse();
}

/** The messages of a stream by sequence, time and subject, newest first; a search, and an export. */
export function Messages({ broker, stream, subject, onSubject, onChange }: MessagesProps) {
  const { name } = stream.config;
  const [at, setAt] = useState<At>({});
  const [typedAt, setTypedAt] = useState('');
  const [typedSubject, setTypedSubject] = useState(subject);
  const [isShown, setShown] = useState(false);
  const [isExporting, setExporting] = useState(false);
  const [found, setFound] = useState<StoredMessage[]>();
  // what is read by its place does not change but by deletion
  const everyMs = at.from === undefined && at.before === undefined ? 3000 : 30_000;
  const key = `${name} ${subject} ${at.from} ${at.before}`;
  const page = usePolled(() => readPage(broker, name, at, subject), everyMs, key);
  const [oldest, newest] = [page.value?.at(-1), page.value?.[0]];
  const isPosition = typedAt === '' || positionOf(typedAt) !== undefined;
  const change = () => {
    page.refresh();
    onChange();
  };

  const look = async () => {
    onSubject(typedSubject.trim());
    const position = positionOf(typedAt);
    if (position === undefined) return setAt({});
    const from = 'sequence' in position ? position.sequence : await sequenceAt(broker, stream, position.time);
    // a time after the last message
    setAt({ from: from ?? stream.state.last_seq + 1 });
  };
  const range = (): Range => ({
    first: at.from ?? stream.state.first_seq,
    last: stream.state.last_seq,
    ...(subject !== '' && { subject }),
  });
  const exportAll = async () => {
    setExporting(true);
    try {
      const { lines, count, isCut } = await exportMessages(broker, stream, range(), () => undefined);
      saveFile(`${name}.ndjson`, lines, 'application/x-ndjson');
      toast(
        `${formatCount(count)} messages are in the file`,
        isCut ? 'There are more. sluice messages export has no limit.' : undefined,
      );
    } catch (error) {
      toastError(explained(error));
    }
    setExporting(false);
  };

  return (
    <div className={layout.closeStack}>
      <form
        className={styles.tools}
        onSubmit={(event) => {
          event.preventDefault();
          if (isPosition) void look().catch((error: unknown) => toastError(explained(error)));
        }}
      >
        <TextField
          label="Subject"
          placeholder="orders.>"
          value={typedSubject}
          onChange={setTypedSubject}
          isMono
        />
        <TextField
          label="From"
          placeholder="1200, 2h, 2026-03-14"
          value={typedAt}
          onChange={setTypedAt}
          error={isPosition ? undefined : 'A sequence, a time, or how long ago.'}
        />
        <Button type="submit">Look</Button>
        <Button onPress={() => void exportAll()} isPending={isExporting}>
          Export
        </Button>
        <Switch isSelected={isShown} onChange={setShown}>
          Show values
        </Switch>
        {subject !== '' && (
          <Button
            size="small"
            onPress={() => {
              onSubject('');
              setTypedSubject('');
            }}
          >
            Only {subject} ✕
          </Button>
        )}
      </form>
      <MessageSearch {...{ broker, stream, range, onFound: setFound, sample: newest }} />
      <MessageTable
        {...{ broker, stream, isShown, onChange: change }}
        name="stored"
        rows={found ?? page.value}
        error={page.error === undefined ? undefined : explained(page.error)}
        onRetry={page.refresh}
        empty={
          found || subject !== '' || at.from !== undefined ? (
            <EmptyState title="No message fits" />
          ) : (
            <EmptyState title="No message yet">Publish one, or wait for one.</EmptyState>
          )
        }
      />
      {!found && (
        <div className={styles.tools}>
          <Button
            isDisabled={!oldest || oldest.sequence <= stream.state.first_seq}
            onPress={() => oldest && setAt({ before: oldest.sequence })}
          >
            Older
          </Button>
          <Button
            isDisabled={!newest || newest.sequence >= stream.state.last_seq}
            onPress={() => newest && setAt({ from: newest.sequence + 1 })}
          >
            Newer
          </Button>
          <Button isDisabled={at.from === undefined && at.before === undefined} onPress={() => setAt({})}>
            Newest
          </Button>
        </div>
      )}
    </div>
  );
}
