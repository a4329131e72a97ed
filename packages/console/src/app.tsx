import { startTransition, StrictMode } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { watchRelease } from '@sluice/console-core/api/release.ts';
import { router } from './routes/router.tsx';

/** Draws the console. */
export function start(): void {
  watchRelease();
  // the code of the page comes while its first route asks who is there; its route shows an error where it does not come
  for (const { routeId } of router.matchRoutes(router.latestLocation))
    router
      .loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById])
      ?.catch(() => undefined);
  const root = document.querySelector('#root');
  if (!root) throw new Error('The document has no #root.');
  // in steps, between which the browser answers the person
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
}
