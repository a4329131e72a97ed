import { accepted, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import { shownDetail } from './deployment-view.ts';
import type { UpgradesService } from './upgrades.service.ts';

export const upgradesOperations = (upgrades: UpgradesService) =>
  ({
    getDeployment: async ({ params }) => ok(shownDetail(await upgrades.get(params))),
    upgradeDeployment: async ({ caller, params, body }) =>
      accepted({}, shownDetail(await upgrades.upgrade(caller, params, body))),
    extendDeployment: async ({ caller, params, body }) =>
      accepted({}, shownDetail(await upgrades.extend(caller, params, body))),
  }) satisfies Partial<Handlers<operations>>;
