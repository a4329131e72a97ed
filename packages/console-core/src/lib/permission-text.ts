interface Place {
  id: number;
  name: string | null;
}

export interface PermissionPlace {
  scope: 'tenant' | 'division' | 'environment';
  division: Place | null;
  environment: Place | null;
}

const nameOf = ({ id, name }: Place) => name ?? `#${id}`;

/** Where permissions hold, places without a name (which the person may not see) by their id: `in the organization`, `in all environments of payments`, `in payments/dev`. */
export function placeText({ scope, division, environment }: PermissionPlace): string {
  if (scope === 'tenant') return 'in the organization';
  if (environment) return `in ${division ? `${nameOf(division)}/` : ''}${nameOf(environment)}`;
  if (scope === 'division') return division ? `in ${nameOf(division)}` : 'in all divisions';
  return division ? `in all environments of ${nameOf(division)}` : 'in all environments';
}

/** Names of permissions, with `read` left out where `manage` says it already. */
export const withoutImplied = (names: readonly string[]): string[] =>
  names.filter((name) => !(name.endsWith(':read') && names.includes(name.replace(/:read$/, ':manage'))));
