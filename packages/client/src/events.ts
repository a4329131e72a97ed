import { clientError } from './error.ts';

/** A server-sent event. */
export interface ServerEvent {
  event: string;
  id: string | undefined;
  data: string;
}

/** longest event that is read, in characters */
const mostCharacters = 4 * 2 ** 20;

/**
 * The events of an answer, until it ends. Leaving the loop closes the connection.
 * @param silenceMs after so long without a byte the connection counts as broken
 * @param onId called with each id, also of what is no event
 * @throws SluiceError `connection_failed`, `response_too_large`; the reason of the signal
 */
export async function* readEvents(
  response: Response,
  {
    silenceMs,
    signal,
    onId,
  }: { silenceMs: number; signal?: AbortSignal | null | undefined; onId?: (id: string) => void },
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await withinTime(reader.read(), silenceMs, signal);
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      if (text.length > mostCharacters)
        throw clientError('response_too_large', 'An event of the stream is too long.');
      for (const block of blocks) {
        const { id, ...event } = eventOf(block);
        if (id !== undefined) onId?.(id);
        if (event.data !== undefined) yield { ...event, id, data: event.data };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** `data` is undefined for a comment, and for an id alone. */
function eventOf(block: string) {
  const fields = block.split(/\r?\n/).map((line) => /^(\w+):? ?(.*)$/.exec(line));
  const valuesOf = (name: string) => fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []));
  const data = valuesOf('data');
  return {
    event: valuesOf('event').at(-1) ?? 'message',
    id: valuesOf('id').at(-1),
    data: data.length === 0 ? undefined : data.join('\n'),
  };
}

async function withinTime<T>(
  read: Promise<T>,
  milliseconds: number,
  signal: AbortSignal | null | undefined,
): Promise<T> {
  let stop = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal?.reason as Error);
    const silent = () =>
      reject(clientError('connection_failed', 'The stream has fallen silent.', { retryable: true }));
    timer = setTimeout(silent, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
  try {
    return await Promise.race([read, failed]);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof Error && cause.name === 'SluiceError') throw cause;
    throw clientError('connection_failed', 'The stream broke off.', { retryable: true, cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
