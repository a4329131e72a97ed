/**
 * Runs `work` for all callers that ask while it runs: there is one run at a time. For
 * answers that cost something and need no key.
 */
export function shared<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () =>
    (running ??= work().finally(() => {
      running = undefined;
    }));
}
