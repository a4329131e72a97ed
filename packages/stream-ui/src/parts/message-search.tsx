import { useEffect, useRef, useState } from 'react';
import type { StreamInfo } from '@nats-io/jetstream';
import { Button } from '@sluice/ui/button.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { ErrorNote } from '@sluice/ui/feedback.tsx';
import { TextField } from '@sluice/ui/field.tsx';
import { formatCount, plural } from '@sluice/ui/lib/quantity.ts';
import type { Range, StoredMessage } from '@sluice/streams';
import { scan } from '../broker/scan.ts';
import { explained, type Broker } from '../broker/session.ts';
import { searchOf, type SearchKind } from '../lib/search.ts';
import styles from './streams.module.css';

const kinds = [
  { key: 'text', label: 'Text' },
  { key: 'jmespath', label: 'JMESPath' },
] as const;

interface MessageSearchProps {
  broker: Broker;
  stream: StreamInfo;
  /** in which is looked */
  range: () => Range;
  /** a message to try an expression on */
  sample: StoredMessage | undefined;
  /** called with what was found, and with undefined when the search is left */
  onFound: (found: StoredMessage[] | undefined) => void;
}

/** Looks for messages by payload and headers, so many at a time. */
export function MessageSearch({ broker, stream, range, sample, onFound }: MessageSearchProps) {
  const [kind, setKind] = useState<SearchKind>('text');
  const [expression, setExpression] = useState('');
  const [said, setSaid] = useState('');
  const [error, setError] = useState<unknown>();
  const [next, setNext] = useState<number | null>();
  const [found, setFound] = useState<StoredMessage[]>([]);
  const running = useRef<AbortController>(undefined);
  const [isRunning, setRunning] = useState(false);
  useEffect(() => () => running.current?.abort(), []);

  const attempt = async (work: () => Promise<void>) => {
    setError(undefined);
    try {
      await work();
    } catch (thrown) {
      setError(explained(thrown));
    }
  };
  const tryOne = () =>
    attempt(async () => {
      const matches = await searchOf(kind, expression);
      if (sample) setSaid(`Message ${sample.sequence} ${matches(sample) ? 'fits' : 'does not fit'}.`);
    });
  const search = (from?: number) =>
    attempt(async () => {
      const matches = await searchOf(kind, expression);
      const abort = new AbortController();
      running.current = abort;
      setRunning(true);
      const before = from === undefined ? [] : found;
      try {
        const looksIn = from === undefined ? range() : { ...range(), first: from };
        const result = await scan(broker, stream, looksIn, matches, abort.signal, (looked) =>
          setSaid(`${formatCount(looked)} looked at…`),
        );
        const all = [...result.found.reverse(), ...before];
        setFound(all);
        onFound(all);
        setNext(result.next);
        setSaid(
          `${plural(all.length, 'message')} found, ${formatCount(result.looked)} looked at${result.next === null ? '' : `, up to ${result.next - 1}`}.`,
        );
      } finally {
        setRunning(false);
      }
    });
  const leave = () => {
    running.current?.abort();
    setFound([]);
    setNext(undefined);
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
          placeholder={kind === 'text' ? 'a text in payload or headers' : 'data.total > `100`'}
          value={expression}
          onChange={setExpression}
          isMono
        />
        <Button isDisabled={expression === '' || !sample} onPress={() => void tryOne()}>
          Try on one message
        </Button>
        {isRunning ? (
          <Button onPress={() => running.current?.abort()}>Stop</Button>
        ) : (
          <Button type="submit" isDisabled={expression === ''}>
            Search
          </Button>
        )}
        {next !== null && next !== undefined && !isRunning && (
          <Button onPress={() => void search(next)}>Go on</Button>
        )}
        {next !== undefined && <Button onPress={leave}>Leave the search</Button>}
        {said !== '' && <span role="status">{said}</span>}
      </form>
      {error !== undefined && <ErrorNote error={error} />}
    </>
  );
}
