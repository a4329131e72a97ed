import { useRef, useState } from 'react';
import type { StreamInfo } from '@nats-io/jetstream';
import { Button } from '@sluice/ui/button.tsx';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { Switch, TextField } from '@sluice/ui/field.tsx';
import { toastError } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { sequenceAt, type Range } from '@sluice/streams';
import { readPage, type At, type Page } from '../broker/page.ts';
import type { Scan } from '../broker/scan.ts';
import { explained, type Broker } from '../broker/session.ts';
import { positionOf } from '../lib/position.ts';
import { usePolled } from '../lib/polled.ts';
import { Export } from './export.tsx';
import { MessageTable } from './message-table.tsx';
import { MessageSearch } from './message-search.tsx';
import { Stale } from './stale.tsx';
import styles from './streams.module.css';

interface MessagesProps {
  broker: Broker;
  stream: StreamInfo;
  /** of which messages are shown; empty for all */
  subject: string;
  onSubject: (subject: string) => void;
  onChange: () => void;
}

/** The messages of a stream by sequence, time and subject, newest first; a search, and an export. */
export function Messages({ broker, stream, subject, onSubject, onChange }: MessagesProps) {
  const { name } = stream.config;
  const [at, setAt] = useState<At>({});
  const [typedAt, setTypedAt] = useState('');
  const [typedSubject, setTypedSubject] = useState(subject);
  const [isShown, setShown] = useState(false);
  const [search, setSearch] = useState<{ place: string; found: Scan }>();
  // what is read by its place does not change but by deletion
  const everyMs = at.from === undefined && at.before === undefined ? 3000 : 30_000;
  const page = usePolled(
    (former: Page | undefined) => readPage(broker, name, at, subject, former),
    everyMs,
    `${name} ${subject} ${at.from} ${at.before}`,
  );
  const messages = page.value?.messages;
  const [oldest, newest] = [messages?.at(-1), messages?.[0]];
  const isPosition = typedAt === '' || positionOf(typedAt) !== undefined;
  const range: Range = {
    first: at.from ?? stream.state.first_seq,
    last: stream.state.last_seq,
    ...(subject !== '' && { subject }),
  };
  // of another place nothing that was found is shown
  const place = `${subject} ${at.from}`;
  const found = search?.place === place ? search.found : undefined;
  const change = () => {
    page.refresh();
    onChange();
  };

  const looks = useRef(0);
  const look = async () => {
    const own = ++looks.current;
    const position = positionOf(typedAt);
    // a time after the last message
    const atEnd = stream.state.last_seq + 1;
    const next: At =
      position === undefined
        ? {}
        : {
            from:
              'sequence' in position
                ? position.sequence
                : ((await sequenceAt(broker, stream, position.time)) ?? atEnd),
          };
    // another one was asked for meanwhile
    if (own !== looks.current) return;
    onSubject(typedSubject.trim());
    setAt(next);
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
        <Export {...{ broker, stream, range }} />
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
      <MessageSearch
        {...{ broker, stream, range, place, found, sample: newest }}
        onFound={(result) => setSearch(result && { place, found: result })}
      />
      <Stale error={messages && page.error} onRetry={page.refresh} />
      <MessageTable
        {...{ broker, stream, isShown, onChange: change }}
        name="stored"
        rows={found?.found ?? messages}
        error={page.error === undefined ? undefined : explained(page.error)}
        onRetry={page.refresh}
        empty={
          found || subject !== '' || at.from !== undefined || at.before !== undefined ? (
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
