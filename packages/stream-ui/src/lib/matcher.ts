import type { StoredMessage } from '@sluice/streams';
import { ShownError } from '@sluice/ui/lib/problems.ts';
import type { SearchAnswer, SearchRequest } from './search-worker.ts';
import workerUrl from './search-worker.ts?worker&url';
import type { Fits, SearchKind } from './search.ts';

/** for one answer. Milliseconds. */
const deadline = 5_000;

/** The page's policy wants scripts to come from a policy of trusted types; the types know none. */
interface TrustedTypes {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => typeof rules;
}
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
const policy = trustedTypes?.createPolicy('search-worker', { createScriptURL: (url) => url });

/**
 * A search in a worker, which gets copies of payloads, so that no expression holds up the page: one that takes too long is ended with its worker.
 * @param signal ends it: what is asked then is rejected with its reason
 * @throws ShownError `no_expression`; `slow_expression`, also from each call
 */
export async function openMatcher(kind: SearchKind, expression: string, signal: AbortSignal): Promise<Fits> {
  signal.throwIfAborted();
  const worker = new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl, { type: 'module' });
  signal.addEventListener('abort', () => worker.terminate());
  const ask = async (request: SearchRequest, transfer: Transferable[] = []): Promise<boolean[]> => {
    signal.throwIfAborted();
    const answer = await new Promise<SearchAnswer>((resolve, reject) => {
      const late = setTimeout(() => {
        worker.terminate();
        reject(tooSlow('messages' in request ? request.messages : []));
      }, deadline);
      const settle = (how: () => void) => () => {
        clearTimeout(late);
        signal.removeEventListener('abort', ended);
        how();
      };
      const ended = settle(() => reject(signal.reason as Error));
      signal.addEventListener('abort', ended);
      worker.onmessage = ({ data }: MessageEvent<SearchAnswer>) => settle(() => resolve(data))();
      worker.onerror = settle(() => reject(notStarted()));
      worker.postMessage(request, transfer);
    });
    if ('error' in answer)
      throw new ShownError('no_expression', 'The expression cannot be used', answer.error);
    return answer.fits;
  };
  await ask({ kind, expression });
  return async (messages) => {
    // a part of a buffer would be sent with all of it
    const copies = messages.map((message) => ({ ...message, data: message.data.slice() }));
    return await ask(
      { messages: copies },
      copies.map(({ data }) => data.buffer),
    );
  };
}

const notStarted = () =>
  new ShownError('no_search', 'The search could not be started', 'Load the page again, and try once more.');

function tooSlow(messages: readonly StoredMessage[]): ShownError {
  const [first, last] = [messages[0]?.sequence, messages.at(-1)?.sequence];
  const where = first === undefined ? '' : ` It was at messages ${first} to ${last}.`;
  return new ShownError(
    'slow_expression',
    'The expression takes too long',
    `It was ended after ${deadline / 1000} s.${where} Nested repetitions, such as (a+)+, can be the reason.`,
  );
}
