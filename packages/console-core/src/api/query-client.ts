import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { SluiceError } from '@sluice/client';
import { pollInterval } from './feed-state.ts';
import type { ResourceKey } from './keys.ts';

const signedOutListeners = new Set<() => void>();

/** Calls back when the API says that the session is over. */
export function onSignedOut(listener: () => void): void {
  signedOutListeners.add(listener);
}

function noticeSignOut(error: unknown): void {
  if (error instanceof SluiceError && error.status === 401)
    for (const listener of signedOutListeners) listener();
}

/** One for the page. The client itself repeats what is worth it, so queries do not. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignOut }),
  mutationCache: new MutationCache({ onError: noticeSignOut }),
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 10_000,
      refetchInterval: ({ queryKey, state }) => pollInterval(queryKey, state.fetchFailureCount),
    },
    mutations: { retry: false },
  },
});

/**
 * A query of what an operation answers.
 * @param call the operation, with the signal that it passes on
 */
export const read = <T>(key: ResourceKey, call: (signal: AbortSignal) => Promise<{ data: T }>) =>
  queryOptions({ queryKey: key, queryFn: async ({ signal }) => (await call(signal)).data });
