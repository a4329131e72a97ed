import { useSyncExternalStore } from 'react';

/** Whether the server has another build than the one that runs here. */
let isOld = false;
const listeners = new Set<() => void>();

function noticeOld(): void {
  isOld = true;
  for (const listener of listeners) listener();
}

async function look(): Promise<void> {
  if (isOld || document.hidden) return;
  try {
    const answer = await fetch('/build.json', { cache: 'no-store' });
    if (!answer.ok) return;
    const { id } = (await answer.json()) as { id?: string };
    if (id !== undefined && id !== __BUILD_ID__) noticeOld();
  } catch {
    // without a connection nothing is known
  }
}

let release: string | undefined;

/**
 * Looks for another build once the API answers as another release than before.
 * @param answer of the Main API
 */
export function noticeRelease({ headers }: Response): void {
  const seen = headers.get('svc-release');
  if (seen === null || seen === release) return;
  const isOther = release !== undefined;
  release = seen;
  if (isOther) void look();
}

/** Looks for another build now and then, when the page is shown again, and when a part of the page is not there any more. */
export function watchRelease(): void {
  if (import.meta.env.DEV) return;
  window.addEventListener('vite:preloadError', () => void look());
  document.addEventListener('visibilitychange', () => void look());
  setInterval(() => void look(), 300_000);
}

/** Whether this page is of an older build than the server has. */
export function useIsOldPage(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOld,
  );
}
