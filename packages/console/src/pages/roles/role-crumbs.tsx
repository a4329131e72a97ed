import { useBreadcrumb } from '@sluice/console-core/parts/breadcrumb.ts';
import { Link } from '@sluice/console-core/parts/link.tsx';

/** Where pages of a role are. */
export function useRoleCrumbs(tenantId: number, name: string): void {
  useBreadcrumb(
    [
      <Link key="roles" look="plain" to="/t/$tenantId/roles" params={{ tenantId }}>
        Roles
      </Link>,
      <span key="name">{name}</span>,
    ],
    `role ${name}`,
  );
}
