import { useEffect, useRef, useState } from 'react';
import type { StreamInfo } from '@nats-io/jetstream';
import { Button } from '@sluice/ui/button.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { ErrorNote } from '@sluice/ui/feedback.tsx';
import { TextField } from '@sluice/ui/field.tsx';
import { formatBytes, formatCount, plural } from '@sluice/ui/lib/quantity.ts';
import { readMessage, type Range, type StoredMessage } from '@sluice/streams';
import { scan, type Looked, type Scan } from '../broker/scan.ts';
import { explained, type Broker } from '../broker/session.ts';
import { openMatcher } from '../lib/matcher.ts';
import type { SearchKind } from '../lib/search.ts';
import styles from './streams.module.css';

const kinds = [
  { key: 'text', label: 'Text' },
  { key: 'regexp', label: 'Regular expression' },
  { key: 'jmespath', label: 'JMESPath' },
] as const;

const examples: Record<SearchKind, string> = {
  text: 'a text in payload or headers',
  regexp: '"total": ?1\\d\\d\\b',
  jmespath: 'data.total > `100`',
};

/** between two words about progress, which screen readers read out. Milliseconds. */
const saidEvery = 1_000;

interface MessageSearchProps {
  broker: Broker;
  stream: StreamInfo;
  /** in which is looked */
  range: Range;
  /** what the range is of: with another one a search ends */
  place: string;
  /** a message to try an expression on */
  sample: StoredMessage | undefined;
  /** newest first */
  found: Scan | undefined;
  /** undefined when the search is left */
  onFound: (found: Scan | undefined) => void;
}

/** Looks for messages by payload and headers, so many at a time. */
export function MessageSearch({ broker, stream, range, place, sample, found, onFound }: MessageSearchProps) {
  const [kind, setKind] = useState<SearchKind>('text');
  const [expression, setExpression] = useState('');
  const [said, setSaid] = useState('');
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController>(undefined);
  const end = () => {
    running.current?.abort();
    running.current = undefined;
    setRunning(false);
  };
  useEffect(
    () => () => {
      running.current?.abort();
      running.current = undefined;
      setRunning(false);
      setSaid('');
    },
    [place],
  );

  /** What is ended says nothing more, but for what it has found when it is stopped. */
  const attempt = async (work: (signal: AbortSignal, isCurrent: () => boolean) => Promise<void>) => {
    end();
    const own = new AbortController();
    const isCurrent = () => running.current === own;
    running.current = own;
    setRunning(true);
    setError(undefined);
    setSaid('');
    try {
      await work(own.signal, isCurrent);
    } catch (thrown) {
      if (isCurrent() && own.signal.aborted) setSaid('Stopped.');
      else if (isCurrent()) setError(explained(thrown));
    }
    // ends the worker
    own.abort();
    if (isCurrent()) setRunning(false);
  };
  const tryOne = () =>
    attempt(async (signal, isCurrent) => {
      const fits = await openMatcher(kind, expression, signal);
      const whole = sample && (await readMessage(broker, stream.config.name, { seq: sample.sequence }));
      const [fit] = whole ? await fits([whole]) : [];
      if (!isCurrent()) return;
      setSaid(
        whole
          ? `Message ${whole.sequence} ${fit ? 'fits' : 'does not fit'}.`
          : 'The message to try it on is gone.',
      );
    });
  const search = (before?: Scan) =>
    attempt(async (signal, isCurrent) => {
      const first = before?.next ?? range.first;
      let saidAt = 0;
      const onProgress = (looked: Looked) => {
        if (!isCurrent() || performance.now() - saidAt < saidEvery) return;
        saidAt = performance.now();
        const part = (looked.sequence - first + 1) / (range.last - first + 1);
        setSaid(`${lookedText(looked)}, ${Math.min(99, Math.round(100 * part))} % so far…`);
      };
      const fits = await openMatcher(kind, expression, signal);
      const result = await scan(broker, stream, { ...range, first }, fits, signal, onProgress);
      if (!isCurrent()) return;
      const all = [...result.found.reverse(), ...(before?.found ?? [])];
      onFound({ found: all, next: result.next, looked: result.looked });
      setSaid(
        `${signal.aborted ? 'Stopped. ' : ''}${plural(all.length, 'message')} found, ${lookedText(result.looked)}${result.next === null ? '' : `, up to ${result.next - 1}`}.`,
      );
    });
  const leave = () => {
    end();
    setSaid('');
    onFound(undefined);
  };
  return (
    <>
      <form
        className={styles.tools}
        onSubmit={(event) => {
          event.preventDefault();
          if (expression !== '' && !isRunning) void search();
        }}
      >
        <Select label="Search by" options={kinds} value={kind} onChange={(key) => key && setKind(key)} />
        <TextField
          label="Search"
          placeholder={examples[kind]}
          value={expression}
          onChange={setExpression}
          isMono
        />
        <Button isDisabled={expression === '' || !sample || isRunning} onPress={() => void tryOne()}>
          Try on one message
        </Button>
        {/* two elements: the click that stops would submit with what the same one becomes */}
        {isRunning ? (
          <Button key="stop" onPress={() => running.current?.abort()}>
            Stop
          </Button>
        ) : (
          <Button key="search" type="submit" isDisabled={expression === ''}>
            Search
          </Button>
        )}
        {found && found.next !== null && !isRunning && (
          <Button onPress={() => void search(found)}>Go on</Button>
        )}
        {found && <Button onPress={leave}>Leave the search</Button>}
        {said !== '' && <span role="status">{said}</span>}
      </form>
      {error !== undefined && <ErrorNote error={error} />}
    </>
  );
}

const lookedText = ({ messages, bytes }: Looked) =>
  `${formatCount(messages)} looked at (${formatBytes(bytes)})`;
