import type { GrantablePermissions, RoleDetail } from '@sluice/client';
import { cx } from '@sluice/ui/lib/cx.ts';
import {
  exceptionsOf,
  grantsOf,
  resourcesOf,
  type Grant,
  type Scope,
} from '@sluice/console-core/lib/permission-grid.ts';
import { plural } from '@sluice/ui/lib/quantity.ts';
import layout from '@sluice/ui/layout.module.css';
import { Link } from '@sluice/console-core/parts/link.tsx';
import grid from '@sluice/console-core/parts/permission-grid.module.css';

const scopes: readonly { scope: Scope; caption: string }[] = [
  { scope: 'tenant', caption: 'Organization' },
  { scope: 'division', caption: 'Divisions' },
  { scope: 'environment', caption: 'Environments and deployments' },
];

/** What each role grants by default, with where it grants more or less. */
export function RolesMatrix({
  tenantId,
  roles,
  catalogue,
}: {
  tenantId: number;
  roles: readonly RoleDetail[];
  catalogue: GrantablePermissions;
}) {
  const granted = roles.map((role) => ({ role, grants: grantsOf(role.permissions) }));
  return (
    <>
      {scopes.map(({ scope, caption }) => (
        // it scrolls, so keys have to reach it
        <div key={scope} className={grid.scroll} tabIndex={0} role="region" aria-label={`Roles: ${caption}`}>
          <table className={cx(grid.grid, grid.fixed)} style={{ minWidth: `${13 + roles.length * 7}rem` }}>
            <caption>{caption}</caption>
            <thead>
              <tr>
                <th scope="col">Resource</th>
                {roles.map(({ id, name }) => (
                  <th key={id} scope="col">
                    <Link to="/t/$tenantId/roles/$roleId" params={{ tenantId, roleId: id }}>
                      {name}
                    </Link>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {resourcesOf(catalogue[scope]).map(({ key, name, descriptions }) => (
                <tr key={key}>
                  <th scope="row" title={descriptions.manage ?? descriptions.read}>
                    {name}
                  </th>
                  {granted.map(({ role, grants }) => (
                    <td key={role.id}>
                      <RoleCell grants={grants} scope={scope} resource={key} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ))}
      {granted.some(({ grants }) => grants.some(({ division }) => division !== null)) && (
        <p className={grid.legend}>
          <span className={cx(grid.level, grid.more)}>+ grants more in that many places</span>
          <span className={cx(grid.level, grid.less)}>− grants less in that many places</span>
        </p>
      )}
    </>
  );
}

function RoleCell({ grants, scope, resource }: { grants: readonly Grant[]; scope: Scope; resource: string }) {
  const { level, more, less } = exceptionsOf(grants, scope, resource);
  return (
    <>
      <span className={cx(grid.level, level === 'none' && layout.muted, level === 'manage' && grid.manage)}>
        {level === 'none' ? 'no' : level}
      </span>
      <Exceptions places={more} mark="+" says="more in" className={grid.more} />
      <Exceptions places={less} mark="−" says="less in" className={grid.less} />
    </>
  );
}

function Exceptions({
  places,
  mark,
  says,
  className,
}: {
  places: readonly Grant[];
  mark: string;
  says: string;
  className: string | undefined;
}) {
  if (places.length === 0) return null;
  const names = places.map(({ name }) => name).join(', ');
  return (
    <span className={cx(grid.level, className)} title={`${says} ${names}`}>
      {mark}
      {places.length}
      <span className="visually-hidden">{` ${plural(places.length, 'place')}: ${says} ${names}`}</span>
    </span>
  );
}
