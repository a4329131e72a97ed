import type { SnapshotId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, Page, ParamsOf } from '@sluice/http';
import { problem } from '@sluice/service';
import { requireLive, type DeploymentPath, requireRoom } from '../deployment-rules.ts';
import { inSeconds } from '@sluice/region-store/queries';
import type { components, operations } from '../../generated/api.ts';
import {
  findDeployment,
  getDeployment,
  lockDeployment,
  raiseRevision,
  subjectsOf,
  type Deployment,
} from '@sluice/region-store/deployments.store';
import {
  countSnapshots,
  deleteSnapshot,
  findSnapshot,
  getSnapshot,
  insertSnapshots,
  pageOfSnapshots,
  type Snapshot,
} from '@sluice/region-store/snapshots.store';
import type { Shared } from '../shared.ts';
import type { DownloadLinks } from './download-links.ts';

export interface SnapshotsOptions extends Pick<Shared, 'database' | 'work' | 'now'> {
  links: DownloadLinks;
  deadlineSeconds: number;
}

type SnapshotPath = ParamsOf<operations['deleteSnapshot']>;
type NewSnapshot = NonNullable<BodyOf<operations['createSnapshot']>>;

export type SnapshotsService = ReturnType<typeof snapshotsService>;

/** Diagnostic reports of a deployment's nodes (interface, 2.14 and 4.13). */
export function snapshotsService({ database, work, links, deadlineSeconds, now }: SnapshotsOptions) {
  return {
    /** A page, newest first, and the deployment that they are of. */
    async page({ deployment_id }: DeploymentPath, page: Page) {
      const deployment = await getDeployment(database, deployment_id);
      return { deployment, ...(await pageOfSnapshots(database, deployment_id, page)) };
    },

    async get({ deployment_id, snapshot_id }: SnapshotPath) {
      const deployment = await getDeployment(database, deployment_id);
      return { deployment, snapshot: await getSnapshot(database, deployment_id, snapshot_id) };
    },

    /** Has all nodes examined. @returns the ids of their snapshots @throws Problem `state_conflict`, `operation_in_progress`, `limit_reached` */
    async create(
      caller: Caller,
      { deployment_id }: DeploymentPath,
      { redact_secrets, include_broker }: NewSnapshot,
    ): Promise<SnapshotId[]> {
      return await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        requireLive(deployment);
        const { nodes, limits } = deployment.spec;
        const { count, isAnyOpen } = await countSnapshots(tx.db, deployment_id);
        if (isAnyOpen) throw problem('operation_in_progress');
        requireRoom('deployment_snapshots_limit', limits.snapshots, count);
        const name = nameOf(deployment, now());
        const ids = await insertSnapshots(tx.db, nodes, {
          deployment_id,
          name,
          redact_secrets: redact_secrets ?? true,
          archive: (include_broker ?? true) ? 'wanted' : null,
          created_by: JSON.stringify(caller.cause),
          deadline: inSeconds(deadlineSeconds),
          expires_at: inSeconds(limits.snapshot_days * 86_400),
        });
        tx.emit('snapshot_created', subjectsOf(deployment), { name, nodes });
        await raiseRevision(tx.db, deployment_id);
        return ids;
      });
    },

    /** @throws Problem `not_found`, `state_conflict` */
    async delete(caller: Caller, { deployment_id, snapshot_id }: SnapshotPath): Promise<void> {
      await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        const snapshot = await getSnapshot(tx.db, deployment_id, snapshot_id);
        requireComplete(snapshot);
        await deleteSnapshot(tx.db, snapshot_id);
        const { name, node_id: id, node_name } = snapshot;
        tx.emit('snapshot_deleted', subjectsOf(deployment), { name, nodes: [{ id, name: node_name }] });
      });
    },

    /**
     * A link that is good for five minutes. The broker's data holds messages and is for those who may connect to the broker.
     * @throws Problem `not_found`, `state_conflict`
     */
    async link(
      caller: Caller,
      { deployment_id, snapshot_id }: SnapshotPath,
    ): Promise<components['schemas']['SnapshotDownload']> {
      const { spec } = await getDeployment(database, deployment_id);
      const snapshot = await getSnapshot(database, deployment_id, snapshot_id);
      requireComplete(snapshot);
      const place = { division: spec.division.id, environment: spec.environment.id };
      const includesBroker =
        snapshot.archive === 'complete' && caller.may('environment', 'deployment:credentials:read', place);
      const linked = { deploymentId: deployment_id, snapshotId: snapshot_id, includesBroker };
      return { url: await links.linkTo(linked), includes_broker_data: includesBroker };
    },

    /** The snapshot that a link is for, its deployment, and whether the broker's data belongs to it. @throws Problem `link_invalid` */
    async open(token: string) {
      const { deploymentId, snapshotId, includesBroker } = await links.read(token);
      const deployment = await findDeployment(database, deploymentId);
      const snapshot = await findSnapshot(database, deploymentId, snapshotId);
      // both may be gone by now
      if (!deployment || !snapshot) throw problem('link_invalid');
      return { deployment, snapshot, includesBroker };
    },
  };
}

function requireComplete({ completed_at }: Pick<Snapshot, 'completed_at'>): void {
  if (completed_at === null)
    throw problem('state_conflict', { detail: 'The snapshot is still being made; wait for its end.' });
}

/** `grand-gull-1a-20260314T092653Z`: also the beginning of a file's name. */
const nameOf = ({ spec }: Deployment, at: Date): string =>
  `${spec.name}-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;

/** The name of a node's snapshot. */
export const fullNameOf = ({ name, node_name }: Pick<Snapshot, 'name' | 'node_name'>): string =>
  `${name}-${node_name}`;
