import { ok, shown, type Handlers } from '@sluice/http';
import type { operations } from '../../../generated/api.ts';
import type { EffectivePermissionsService } from './effective-permissions.service.ts';
import { roleView } from './roles.operations.ts';

export function effectivePermissionsOperations(effective: EffectivePermissionsService) {
  return {
    async getMemberPermissions({ caller, params }) {
      const { member, grants, ...found } = await effective.ofMember(caller, params);
      return ok({
        ...found,
        member: shown(member, 'id', 'name'),
        active: member.active,
        grants: grants.map(({ role, ...grant }) => ({ role: roleView(role), ...grant })),
      });
    },

    async simulateRoles({ caller, params, body }) {
      const { member, ...change } = await effective.simulate(caller, params, body);
      return ok({ member: member && shown(member, 'id', 'name'), ...change });
    },
  } satisfies Partial<Handlers<operations>>;
}
