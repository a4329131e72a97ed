import type { Member, MemberChanges } from '@sluice/client';

const sorted = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

/** What is different from how a member is. What is not is left out, so that it stays. */
export function memberChanges(
  member: Pick<Member, 'active' | 'role_ids'>,
  { active, roles }: { active: boolean; roles: readonly number[] },
): Pick<MemberChanges, 'active' | 'roles'> {
  const wanted = sorted(roles);
  return {
    ...(active !== member.active && { active }),
    ...(wanted.join() !== sorted(member.role_ids).join() && { roles: wanted }),
  };
}
