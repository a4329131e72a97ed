import { useBreadcrumb } from '../../layout/breadcrumb.ts';
import { Link } from '../../parts/link.tsx';

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
