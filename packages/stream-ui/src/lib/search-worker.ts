import type { StoredMessage } from '@sluice/streams';
import { searchOf, type Matches, type SearchKind } from './search.ts';

/** What the page asks: first for an expression, then about messages. */
export type SearchRequest = { kind: SearchKind; expression: string } | { messages: readonly StoredMessage[] };

/** Whether each message fits; none for an expression. */
export type SearchAnswer = { fits: boolean[] } | { error: string };

/** Looks at messages beside the page, which ends this when it takes too long. */
let matches: Promise<Matches> | undefined;

async function answer(request: SearchRequest): Promise<SearchAnswer> {
  try {
    if ('kind' in request) matches = searchOf(request.kind, request.expression);
    const fit = await matches;
    return { fits: 'messages' in request && fit ? request.messages.map((message) => fit(message)) : [] };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

addEventListener('message', ({ data }: MessageEvent<SearchRequest>) => {
  // the page takes what comes from its own worker alone
  void answer(data).then((said) => postMessage(said));
});
