/** how old an answer may be that a page takes */
const mostMs = 10_000;

interface Asked {
  answer: Promise<Response>;
  at: number;
}

const asked = new Map<string, Asked>();

/**
 * Asks the Main API for something that the code of a page will want.
 * @param read path and query, as the page's query asks for it
 */
export function ask(read: string): void {
  const answer = fetch(`/api/main${read}`, { redirect: 'manual', signal: AbortSignal.timeout(30_000) });
  // takeEarly's caller asks again
  answer.catch(() => undefined);
  asked.set(read, { answer, at: performance.now() });
}

/**
 * The answer that was asked for early, for the first who wants it.
 * @param read path and query, without the beginning that all addresses of the Main API have
 */
export function takeEarly(read: string): Promise<Response> | undefined {
  const found = asked.get(read);
  asked.delete(read);
  return found && performance.now() - found.at < mostMs ? found.answer : undefined;
}

/** To call when another session begins in this browser, or this one ends. */
export const forgetEarly = (): void => asked.clear();
