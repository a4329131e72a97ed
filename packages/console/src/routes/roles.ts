import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { defined, id, text } from './search.ts';
import { tenantRoute } from './tenant.ts';

/** The roles side by side, and who can do what. */
export const rolesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'roles',
  component: lazyRouteComponent(() => import('../pages/roles/roles-page.tsx'), 'RolesPage'),
});

/** Who holds a permission somewhere, and by which role. */
export const whoCanRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'roles/who-can',
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      permission: text(search, 'permission')?.slice(0, 100),
      division: id(search, 'division'),
      environment: id(search, 'environment'),
    }),
  component: lazyRouteComponent(() => import('../pages/roles/who-can-page.tsx'), 'WhoCanPage'),
});

/** A role that is being made, like another one if `like` names one. */
export const newRoleRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'roles/new',
  validateSearch: (search: Record<string, unknown>) => defined({ like: id(search, 'like') }),
  component: lazyRouteComponent(() => import('../pages/roles/edit-role-page.tsx'), 'NewRolePage'),
});

const roleParams = {
  parse: ({ roleId }: { roleId: string }) => ({ roleId: Number(roleId) }),
  stringify: ({ roleId }: { roleId: number }) => ({ roleId: String(roleId) }),
};

/** What a role grants, and who has it. */
export const roleRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'roles/$roleId',
  params: roleParams,
  component: lazyRouteComponent(() => import('../pages/roles/role-page.tsx'), 'RolePage'),
});

export const editRoleRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'roles/$roleId/edit',
  params: roleParams,
  component: lazyRouteComponent(() => import('../pages/roles/edit-role-page.tsx'), 'EditRolePage'),
});
