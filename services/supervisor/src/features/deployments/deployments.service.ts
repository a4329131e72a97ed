import type { Caller } from '@sluice/grants';
import type { Page, ParamsOf } from '@sluice/http';
import { problem } from '@sluice/service';
import { requireLive, type DeploymentPath } from '../deployment-rules.ts';
import type { Base } from '@sluice/region-store/tables';
import type { components, operations } from '../../generated/api.ts';
import { lockDeployment, nameAndCode, subjectsOf } from '@sluice/region-store/deployments.store';
import { acceptLoss, countLosses, findEmptyNode } from './node-data.store.ts';
import { dataIntact, setCondition } from './conditions.store.ts';
import { retryNow } from '@sluice/region-store/reconciliations.store';
import { deploymentView, type ViewOptions } from './deployment-view.ts';
import { liveConditions } from './live-conditions.ts';
import { getLiveDeployment } from './live-deployment.store.ts';
import { pageOfStatuses } from './status-history.store.ts';

type NodePath = ParamsOf<operations['acceptDataLoss']>;

export type DeploymentsService = ReturnType<typeof deploymentsService>;

/** What is known of a deployment while it runs (interface, 2.5 and 4.5). */
export function deploymentsService({ database, work, view, now }: Base & { view: ViewOptions }) {
  return {
    async get({ deployment_id }: DeploymentPath): Promise<components['schemas']['LiveDeployment']> {
      const live = await getLiveDeployment(database, deployment_id);
      return deploymentView(live, [...live.conditions, ...liveConditions(live, now())], view);
    },

    statuses: ({ deployment_id }: DeploymentPath, page: Page) =>
      pageOfStatuses(database, deployment_id, page),

    /** Tries again at once what has failed, or is tried again after a pause. */
    async retry(caller: Caller, { deployment_id }: DeploymentPath): Promise<void> {
      await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        const { status, status_reason, deleted_by } = deployment;
        if (status !== 'failed' && status_reason === null && !deleted_by) {
          throw problem('state_conflict', { detail: 'Nothing of the deployment has failed.' });
        }
        if ((await countLosses(tx.db, deployment_id)) > 0 && !deleted_by) {
          throw problem('state_conflict', {
            detail: 'The data of a node is lost: accept it, or bring it back.',
          });
        }
        await retryNow(tx.db, deployment_id, now());
        tx.emit('deployment_retried', subjectsOf(deployment), nameAndCode(deployment));
      });
    },

    /** Lets a node whose data is gone start empty. */
    async acceptDataLoss(caller: Caller, { deployment_id, node_id }: NodePath): Promise<void> {
      await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        const empty =
          deployment.spec.cluster === 'cluster' ? await findEmptyNode(tx.db, deployment_id) : undefined;
        const node = await acceptLoss(tx.db, deployment_id, node_id);
        if (node === undefined)
          throw problem('state_conflict', { detail: 'The data of the node is not lost.' });
        requireLive(deployment);
        // two that know nothing could agree that there is nothing
        if (empty !== undefined)
          throw problem('state_conflict', {
            detail: `${empty} has to get its copies from the others first.`,
          });
        if ((await countLosses(tx.db, deployment_id)) === 0) {
          const accepted = { type: dataIntact, status: 'True', reason: 'LossAccepted', message: '' } as const;
          await setCondition(tx.db, deployment_id, accepted, now());
        }
        await retryNow(tx.db, deployment_id, now());
        tx.emit('deployment_data_loss_accepted', subjectsOf(deployment), {
          ...nameAndCode(deployment),
          node: { id: node_id, name: node },
        });
      });
    },
  };
}
