import { once } from 'node:events';
import type { Response } from 'express';

/** What is answered as it is, and not as JSON: a text, or what goes on for as long as there is something to tell. */
export interface RawContent {
  type: string;
  content: string | AsyncIterable<string | Uint8Array>;
  headers?: Record<string, string>;
}

/** how long a client may take to make room for more, before it is cut */
const patienceMilliseconds = 30_000;

/** Sends it, a stream until it ends, or the client goes away or takes nothing any more. */
export async function sendRaw(
  response: Response,
  { type, content, headers = {} }: RawContent,
  withBody: boolean,
): Promise<void> {
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
  response.setHeader('content-type', type);
  if (typeof content === 'string') {
    response.setHeader('content-length', Buffer.byteLength(content));
    return void response.end(content);
  }
  // a proxy has to pass on what has come so far
  response.setHeader('x-accel-buffering', 'no');
  response.flushHeaders();
  for await (const piece of content) {
    if (!withBody || response.destroyed) break;
    if (!response.write(piece)) await roomIn(response);
  }
  response.end();
}

/** Ends a body whose client is gone. A stream gives back what it holds at its end, to which one that was never begun does not come. */
export async function letGo({ content }: RawContent): Promise<void> {
  if (typeof content === 'string') return;
  const pieces = content[Symbol.asyncIterator]();
  await pieces.next();
  await pieces.return?.();
}

/** Resolves once the client has taken what was sent; one that does not is cut. */
async function roomIn(response: Response): Promise<void> {
  const ended = new AbortController();
  const timer = setTimeout(() => response.destroy(), patienceMilliseconds);
  try {
    await Promise.race(['drain', 'close'].map((event) => once(response, event, { signal: ended.signal })));
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}
