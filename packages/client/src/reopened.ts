import { SluiceError } from './error.ts';
import { backoff, pause } from './pause.ts';

export interface ReopenOptions {
  signal?: AbortSignal;
  /** how long the stream may be away in one piece, in milliseconds (default 10 minutes) */
  maxOutageMs?: number;
  /** called when the stream has broken off and is made again */
  onReconnect?: (error: SluiceError) => void;
}

/** The service sends something each 15 s. */
export const silenceMs = 45_000;

/**
 * What a stream has, which is opened again with growing pauses whenever it ends by a `retryable` error.
 * @param open to call `connected` once the stream is there; its return is the end
 * @throws SluiceError when it cannot be opened any more, or is away for too long; the reason of the signal
 */
export async function* reopened<Item>(
  { signal, maxOutageMs = 600_000, onReconnect }: ReopenOptions,
  open: (connected: () => void) => AsyncGenerator<Item, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  let failures = 0;
  let awaySince: number | undefined;
  const connected = () => (awaySince = undefined);
  for (;;) {
    try {
      for await (const item of open(connected)) {
        failures = 0;
        yield item;
      }
      return;
    } catch (error) {
      if (!(error instanceof SluiceError) || !error.retryable) throw error;
      awaySince ??= performance.now();
      if (performance.now() - awaySince >= maxOutageMs) throw error;
      onReconnect?.(error);
      await pause(backoff(++failures, 250, 10_000), signal);
    }
  }
}

/** Why the server has ended the stream of something. */
export function streamEnded(reason: string, what: string, path: string): SluiceError {
  const isOver = reason === 'forbidden';
  const detail = isOver
    ? `The right to read ${what} is gone.`
    : `The service has ended the stream: ${reason}.`;
  return new SluiceError({ code: 'stream_ended', detail, retryable: !isOver }, { request: `GET ${path}` });
}
