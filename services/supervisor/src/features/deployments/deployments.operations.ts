import { accepted, listed, ok, pageOf, shown, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { DeploymentsService } from './deployments.service.ts';

export function deploymentsOperations(deployments: DeploymentsService) {
  return {
    async getDeployment({ params }) {
      return ok(await deployments.get(params));
    },
    async listStatusPeriods({ params, query, url }) {
      const page = pageOf(query);
      const { rows, total } = await deployments.statuses(params, page);
      const views = rows.map((row) => shown(row, 'id', 'status', 'reason', 'started_at', 'ended_at'));
      return listed(url, page, views, total);
    },
    async acceptDataLoss({ caller, params }) {
      await deployments.acceptDataLoss(caller, params);
      return accepted({}, undefined);
    },
    async retryDeployment({ caller, params }) {
      await deployments.retry(caller, params);
      return accepted({}, undefined);
    },
  } satisfies Partial<Handlers<operations>>;
}
