import type { PermissionsDetail } from '@sluice/client';

/** Where an action takes place. An environment is named together with its division. */
export interface ActionPlace {
  division?: number | undefined;
  environment?: number | undefined;
}

export interface Needed {
  scope: 'tenant' | 'division' | 'environment';
  permission: string;
}

/**
 * Whether a caller holds a permission at a place. Overrides are shown with what they inherit, so the closest one is all that counts.
 * Without a place it is asked whether the permission is held anywhere.
 */
export function allows(
  held: PermissionsDetail,
  { scope, permission }: Needed,
  { division, environment }: ActionPlace = {},
): boolean {
  const has = (names: readonly string[]) => names.includes(permission);
  if (scope === 'tenant') return has(held.tenant);
  const overrides = Object.values(held.divisions);
  const override = division === undefined ? undefined : held.divisions[String(division)];
  if (scope === 'division') {
    if (division !== undefined) return has(override?.permissions ?? held.division);
    return has(held.division) || overrides.some(({ permissions }) => has(permissions));
  }
  if (environment !== undefined && override?.environments[String(environment)])
    return has(override.environments[String(environment)]?.permissions ?? []);
  if (environment !== undefined) return has(override?.environment ?? held.environment);
  const inside = division === undefined ? overrides : override ? [override] : [];
  const isDefault = division === undefined || !override;
  return (
    (isDefault && has(held.environment)) ||
    inside.some(
      (one) =>
        has(one.environment) || Object.values(one.environments).some(({ permissions }) => has(permissions)),
    )
  );
}
