import type { Member, RoleDetail } from '@sluice/client';
import { allows, type ActionPlace, type Needed } from '@sluice/console-core/api/permissions.ts';

export interface Holder {
  member: Member;
  /** the roles that grant it to them */
  by: RoleDetail[];
}

/** The active members who hold a permission at a place, and by which roles. */
export function holdersOf(
  members: readonly Member[],
  roles: readonly RoleDetail[],
  needed: Needed,
  place: ActionPlace,
): Holder[] {
  const granting = roles.filter(({ permissions }) => allows(permissions, needed, place));
  return members
    .filter(({ active }) => active)
    .map((member) => ({ member, by: granting.filter(({ id }) => member.role_ids.includes(id)) }))
    .filter(({ by }) => by.length > 0);
}
