import { createRootRoute, Outlet } from '@tanstack/react-router';
import { Plain } from '../layout/plain.tsx';
import { ErrorState } from '@sluice/ui/feedback.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Toasts } from '@sluice/ui/toast.tsx';

export const rootRoute = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Toasts />
    </>
  ),
  notFoundComponent: () => (
    <Plain title="There is no such page" about="The address is wrong, or what it led to has been deleted.">
      <Link to="/" look="button">
        To the overview
      </Link>
    </Plain>
  ),
  errorComponent: ({ error, reset }) => (
    <Plain title="This page cannot be shown">
      <ErrorState error={error} onRetry={reset} />
    </Plain>
  ),
});
