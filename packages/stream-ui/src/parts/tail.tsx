import { useEffect, useState } from 'react';
import type { StreamInfo } from '@nats-io/jetstream';
import { Button } from '@sluice/ui/button.tsx';
import { EmptyState, ErrorNote } from '@sluice/ui/feedback.tsx';
import { Switch, TextField } from '@sluice/ui/field.tsx';
import { formatCount } from '@sluice/ui/lib/quantity.ts';
import layout from '@sluice/ui/layout.module.css';
import type { StoredMessage } from '@sluice/streams';
import { explained, type Broker } from '../broker/session.ts';
import { tailStep } from '../broker/tail.ts';
import { MessageTable } from './message-table.tsx';
import styles from './streams.module.css';

/** twenty messages in this time are shown; the rest is counted. Milliseconds. */
const stepEvery = 500;
const mostKeptLines = 200;

/** Messages as they are stored, newest first, at a rate that can be read. */
export function Tail({ broker, stream }: { broker: Broker; stream: StreamInfo }) {
  const { name } = stream.config;
  const [subject, setSubject] = useState('');
  const [isOn, setOn] = useState(true);
  const [isShown, setShown] = useState(false);
  const [lines, setLines] = useState<StoredMessage[]>([]);
  const [dropped, setDropped] = useState(0);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (!isOn) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const filter = subject.trim() === '' ? undefined : subject.trim();
    const step = async (next: number): Promise<number> => {
      const found = await tailStep(broker, name, next, filter);
      if (isOver) return next;
      setError(undefined);
      setDropped((former) => former + found.dropped);
      if (found.messages.length > 0)
        setLines((former) => [...found.messages.reverse(), ...former].slice(0, mostKeptLines));
      return found.next;
    };
    const follow = async (next: number) => {
      const after = await step(next).catch((thrown: unknown) => {
        if (!isOver) setError(explained(thrown));
        return next;
      });
      if (!isOver) timer = setTimeout(() => void follow(after), stepEvery);
    };
    void broker.manager.streams.info(name).then(
      ({ state }) => !isOver && void follow(state.last_seq + 1),
      (thrown: unknown) => !isOver && setError(explained(thrown)),
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [broker, name, subject, isOn]);
  return (
    <div className={layout.closeStack}>
      <div className={styles.tools}>
        <TextField label="Only of this subject" value={subject} onChange={setSubject} isMono />
        <Button onPress={() => setOn(!isOn)}>{isOn ? 'Pause' : 'Go on'}</Button>
        <Button onPress={() => (setLines([]), setDropped(0))}>Clear</Button>
        <Switch isSelected={isShown} onChange={setShown}>
          Show values
        </Switch>
        {dropped > 0 && (
          <span role="status">{formatCount(dropped)} more came than can be read, and are not shown.</span>
        )}
      </div>
      {error !== undefined && <ErrorNote error={error} />}
      <MessageTable
        {...{ broker, stream, isShown }}
        name="tail"
        rows={lines}
        empty={
          <EmptyState title={isOn ? 'Waiting for messages' : 'Paused'}>
            Messages appear here as they are stored.
          </EmptyState>
        }
      />
    </div>
  );
}
