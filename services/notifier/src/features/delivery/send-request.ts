import type { Dispatcher } from 'undici';

const mostAnswerBytes = 1024 * 1024;
/** of an answer, for people */
const mostQuoted = 200;

export interface Answer {
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  /** its beginning in one line, or null for one that is too long */
  responseExcerpt: string | null;
}

/**
 * Sends a request and reads its answer to the end, so that the connection can be used again. It goes without the streams that
 * `agent.request` makes of each answer: of thousands of them nothing but the beginning is wanted.
 * @throws Error named TimeoutError when that takes too long; what `stopped` says; what the agent says
 */
export async function sendRequest(
  agent: Dispatcher,
  request: Dispatcher.DispatchOptions,
  milliseconds: number,
  stopped: AbortSignal,
): Promise<Answer> {
  stopped.throwIfAborted();
  const reader = new AnswerReader();
  const open = openUntil(stopped);
  open.add(reader);
  const timer = setTimeout(() => reader.fail(new TimeoutError('no answer in time')), milliseconds);
  try {
    agent.dispatch(request, reader);
    return await reader.answer;
  } finally {
    clearTimeout(timer);
    open.delete(reader);
  }
}

const readers = new WeakMap<AbortSignal, Set<AnswerReader>>();

/** What ends with a signal: one listener for all of them, since adding and removing one takes longer than all else here. */
function openUntil(stopped: AbortSignal): Set<AnswerReader> {
  const known = readers.get(stopped);
  if (known) return known;
  const open = new Set<AnswerReader>();
  readers.set(stopped, open);
  const failAll = () => {
    for (const reader of open) reader.fail(stopped.reason);
  };
  stopped.addEventListener('abort', failAll, { once: true });
  return open;
}

class TimeoutError extends Error {
  override name = 'TimeoutError';
}

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #failure: Error | undefined;
  #status = 0;
  #headers: Answer['headers'] = {};
  #bytes = 0;
  #beginning = '';

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    [this.answer, this.#resolve, this.#reject] = [promise, resolve, reject];
    // an agent that throws and fails as well must not end the process
    promise.catch(() => undefined);
  }

  /** Ends it; what has not been sent by then never is. */
  fail(reason: unknown): void {
    this.#failure = reason instanceof Error ? reason : new Error(String(reason));
    this.#reject(this.#failure);
    this.#controller?.abort(this.#failure);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Answer['headers'],
  ): void {
    [this.#status, this.#headers] = [status, headers];
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#beginning.length < mostQuoted) this.#beginning += piece.toString('utf8');
    if (this.#bytes <= mostAnswerBytes) return;
    this.#resolve({ status: this.#status, headers: this.#headers, responseExcerpt: null });
    controller.abort(new Error('the answer is too long'));
  }

  onResponseEnd(): void {
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      responseExcerpt: inOneLine(this.#beginning),
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error);
  }
}

const inOneLine = (text: string) =>
  text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, mostQuoted);
