import { accepted, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import { detailView } from './deployment-view.ts';
import type { UpgradesService } from './upgrades.service.ts';

type Shown = Awaited<ReturnType<UpgradesService['get']>>;
const shownDetail = ({ deployment, upgrades }: Shown) => detailView(deployment, upgrades);

export const upgradesOperations = (upgrades: UpgradesService) =>
  ({
    getDeployment: async ({ params }) => ok(shownDetail(await upgrades.get(params))),
    upgradeDeployment: async ({ caller, params, body }) =>
      accepted({}, shownDetail(await upgrades.upgrade(caller, params, body))),
    extendDeployment: async ({ caller, params, body }) =>
      accepted({}, shownDetail(await upgrades.extend(caller, params, body))),
  }) satisfies Partial<Handlers<operations>>;
