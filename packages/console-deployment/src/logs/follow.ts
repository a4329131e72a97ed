import { useCallback, useEffect, useState } from 'react';
import { followLogs, listLogLines, type SluiceClient, type StoredLine } from '@sluice/client';
import { LogBuffer, type ShownLine } from '@sluice/console-core/lib/log-lines.ts';

/** Lines that are kept; older ones are in the list of the API. */
const mostLines = 5000;
/** Lines of before, with which the page begins. */
const firstPages = 3;
/** How often what has come is drawn, in milliseconds. */
const drawEvery = 200;

export interface LogFilter {
  level?: 'debug' | 'info' | 'warn' | 'error';
  runtime?: 'node' | 'agent' | 'gateway' | 'broker' | 'connectors';
  node?: number;
  message?: string;
}

export interface FollowedLogs {
  lines: readonly ShownLine[];
  /** loading: the lines of before are read; away: the stream has broken off and is made again */
  state: 'loading' | 'live' | 'away' | 'ended';
  error: unknown;
  /** that have come since the pause */
  waiting: number;
  isPaused: boolean;
  setPaused: (isPaused: boolean) => void;
  retry: () => void;
}

interface Shown {
  lines: readonly ShownLine[];
  count: number;
}

const none: Shown = { lines: [], count: 0 };

/** The newest lines of a deployment's logs, and those that come, until the component goes. */
export function useLogs(client: SluiceClient, deployment_id: number, filter: LogFilter): FollowedLogs {
  const [shown, setShown] = useState(none);
  const [held, setHeld] = useState<Shown>();
  const [state, setState] = useState<FollowedLogs['state']>('loading');
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const { level, runtime, node, message } = filter;
  useEffect(() => {
    const stop = new AbortController();
    const buffer = new LogBuffer(mostLines);
    let drawn = -1;
    const draw = () => {
      if (drawn === buffer.count) return;
      drawn = buffer.count;
      setShown({ lines: buffer.lines, count: buffer.count });
    };
    const query = {
      ...(level && { level }),
      ...(runtime && { runtime }),
      ...(node !== undefined && { node }),
      ...(message !== undefined && { message }),
    };
    setShown(none);
    setHeld(undefined);
    setState('loading');
    setError(undefined);
    const timer = setInterval(draw, drawEvery);
    const run = async () => {
      const begin = await newestLines({ client, deployment_id, query, signal: stop.signal });
      buffer.add(begin);
      draw();
      setState('live');
      const last = begin.at(-1)?.at;
      // lines of the same moment come again
      const known = new Set(begin.filter(({ at }) => at === last).map(textOf));
      for await (const line of followLogs({
        client,
        path: { deployment_id },
        query,
        ...(last !== undefined && { since: new Date(last) }),
        signal: stop.signal,
        onReconnect: () => setState('away'),
      })) {
        if (line.at === last && known.has(textOf(line))) continue;
        buffer.add([line]);
        setState('live');
      }
    };
    run()
      .catch((thrown: unknown) => {
        if (!stop.signal.aborted) setError(thrown);
      })
      .finally(() => {
        if (stop.signal.aborted) return;
        draw();
        setState('ended');
      });
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [client, deployment_id, level, runtime, node, message, attempt]);
  const setPaused = useCallback((isPaused: boolean) => setHeld(isPaused ? shown : undefined), [shown]);
  return {
    lines: held?.lines ?? shown.lines,
    state,
    error,
    waiting: held ? shown.count - held.count : 0,
    isPaused: held !== undefined,
    setPaused,
    retry: useCallback(() => setAttempt((count) => count + 1), []),
  };
}

interface Begin {
  client: SluiceClient;
  deployment_id: number;
  query: LogFilter;
  signal: AbortSignal;
}

/** Some lines of before, oldest first. */
async function newestLines({ client, deployment_id, query, signal }: Begin): Promise<StoredLine[]> {
  const lines: StoredLine[] = [];
  const to = new Date(Date.now() + 60_000).toISOString();
  for (let page = 1; page <= firstPages; page++) {
    const { data } = await listLogLines({
      client,
      path: { deployment_id },
      query: { ...query, page, results: 100, to },
      signal,
    });
    lines.push(...data.items);
    if (page >= data.total_pages) break;
  }
  return lines.reverse();
}

const textOf = ({ node_id: node, runtime, level, message }: StoredLine) =>
  JSON.stringify([node, runtime, level, message]);
