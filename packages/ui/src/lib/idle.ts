/** Does something once the browser has nothing else to do, such as to load what may be needed next. @returns what calls it off */
function whenIdle(work: () => void): () => void {
  // Safari has it not
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, 2_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: 10_000 });
  return () => cancelIdleCallback(handle);
}

/** The same, at the earliest after some seconds: what a page itself loads and draws comes first. */
export function whenSettled(work: () => void, afterMs = 3_000): () => void {
  let cancel = () => {};
  const timer = setTimeout(() => (cancel = whenIdle(work)), afterMs);
  return () => {
    clearTimeout(timer);
    cancel();
  };
}
