import { accepted, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import { detailView } from './deployment-view.ts';
import type { UpgradesService } from './upgrades.service.ts';

export function upgradesOperations(upgrades: UpgradesService) {
  return {
    async getDeployment({ params }) {
      const found = await upgrades.get(params);
      return ok(detailView(found.deployment, found.upgrades));
    },

    async upgradeDeployment({ caller, params, body }) {
      const begun = await upgrades.upgrade(caller, params, body);
      return accepted({}, detailView(begun.deployment, begun.upgrades));
    },

    async extendDeployment({ caller, params, body }) {
      const begun = await upgrades.extend(caller, params, body);
      return accepted({}, detailView(begun.deployment, begun.upgrades));
    },
  } satisfies Partial<Handlers<operations>>;
}
