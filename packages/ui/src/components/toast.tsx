import { lazy, Suspense, useSyncExternalStore } from 'react';
import { shownProblem } from '../lib/problems.ts';
import { plural } from '../lib/quantity.ts';
import type { ToastText } from './toast-region.tsx';

/** Loads what shows toasts, which otherwise comes with the first of them. */
export const loadToasts = () => import('./toast-region.tsx');

const Region = lazy(async () => ({ default: (await loadToasts()).Region }));
const listeners = new Set<() => void>();
let isNeeded = false;

function add(text: ToastText, options?: { timeout: number }): void {
  isNeeded = true;
  for (const listener of listeners) listener();
  loadToasts().then(
    ({ queue }) => queue.add(text, options),
    // a page whose files are gone says so itself
    () => undefined,
  );
}

/** Says that something is done. It goes after six seconds; what needs a reaction is a note in the page instead. */
export function toast(title: string, detail?: string): void {
  add({ kind: 'ok', title, detail }, { timeout: 6000 });
}

/** Says that something was refused or has failed. It stays until it is closed. */
export function toastError(error: unknown): void {
  const { title, detail, requestId, retryAfterMs } = shownProblem(error);
  const request = requestId === null ? '' : ` (request ${requestId})`;
  const wait =
    retryAfterMs === undefined ? '' : ` Try again in ${plural(Math.ceil(retryAfterMs / 1_000), 'second')}.`;
  add({ kind: 'bad', title, detail: `${detail === title ? '' : detail}${wait}${request}` });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where toasts appear; once in the page. */
export function Toasts() {
  const isShown = useSyncExternalStore(subscribe, () => isNeeded);
  return (
    isShown && (
      <Suspense>
        <Region />
      </Suspense>
    )
  );
}
