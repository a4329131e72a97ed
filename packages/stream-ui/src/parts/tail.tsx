import { useEffect, useRef, useState } from 'react';
import type { StreamInfo } from '@nats-io/jetstream';
import { Button } from '@sluice/ui/button.tsx';
import { EmptyState, ErrorNote } from '@sluice/ui/feedback.tsx';
import { Switch, TextField } from '@sluice/ui/field.tsx';
import { formatCount } from '@sluice/ui/lib/quantity.ts';
import layout from '@sluice/ui/layout.module.css';
import type { StoredMessage } from '@sluice/streams';
import { explained, type Broker } from '../broker/session.ts';
import { tailStep, type TailPlace } from '../broker/tail.ts';
import { MessageTable } from './message-table.tsx';
import styles from './streams.module.css';

/** twenty messages in this time are shown; the rest is counted. Milliseconds. */
const stepEvery = 500;
/** after an error */
const retriedEvery = 3_000;
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
  // where it goes on after a pause: what came meanwhile is counted
  const place = useRef<TailPlace>(undefined);
  useEffect(() => {
    if (!isOn) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const filter = subject.trim() === '' ? undefined : subject.trim();
    const step = async () => {
      const found = await tailStep(broker, name, place.current, filter);
      if (isOver) return;
      place.current = found.place;
      setError(undefined);
      setDropped((former) => (found.isOther ? 0 : former) + found.dropped);
      if (found.messages.length > 0 || found.isOther)
        setLines((former) =>
          [...found.messages.reverse(), ...(found.isOther ? [] : former)].slice(0, mostKeptLines),
        );
    };
    const follow = async () => {
      let pause = stepEvery;
      if (!document.hidden)
        await step().catch((thrown: unknown) => {
          if (!isOver) setError(explained(thrown));
          pause = retriedEvery;
        });
      if (!isOver) timer = setTimeout(() => void follow(), pause);
    };
    // while a subject is typed it is not asked for
    timer = setTimeout(() => void follow(), filter === undefined ? 0 : stepEvery);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [broker, name, subject, isOn]);
  const clear = () => {
    setLines([]);
    setDropped(0);
  };
  const choose = (chosen: string) => {
    place.current = undefined;
    clear();
    setSubject(chosen);
  };
  return (
    <div className={layout.closeStack}>
      <div className={styles.tools}>
        <TextField label="Only of this subject" value={subject} onChange={choose} isMono />
        <Button onPress={() => setOn(!isOn)}>{isOn ? 'Pause' : 'Go on'}</Button>
        <Button onPress={clear}>Clear</Button>
        <Switch isSelected={isShown} onChange={setShown}>
          Show values
        </Switch>
        {dropped > 0 && <span>{formatCount(dropped)} more came than can be read, and are not shown.</span>}
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
