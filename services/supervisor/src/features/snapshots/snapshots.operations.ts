import type { AgentOperations } from '@sluice/contracts';
import { done, listed, noContent, ok, pageOf, shown, type Handlers } from '@sluice/http';
import type { Database } from '@sluice/region-store/tables';
import type { components, operations } from '../../generated/api.ts';
import type { Deployment } from '@sluice/region-store/deployments.store';
import type { ListedSnapshot } from '@sluice/region-store/snapshots.store';
import type { Agent } from '../agents/agent-authorizer.ts';
import { placeIn } from '../place-in.ts';
import { archiveOf } from './archive.ts';
import type { SnapshotIntake } from './intake.ts';
import { fullNameOf, type SnapshotsService } from './snapshots.service.ts';

export function snapshotsOperations(snapshots: SnapshotsService, database: Database) {
  return {
    async listSnapshots({ params, query, url }) {
      const page = pageOf(query);
      const { deployment, rows, total } = await snapshots.page(params, page);
      const views = rows.map((snapshot) => snapshotView(deployment, snapshot));
      return listed(url, page, views, total);
    },
    async getSnapshot({ params }) {
      const { deployment, snapshot } = await snapshots.get(params);
      return ok(snapshotView(deployment, snapshot));
    },
    async createSnapshot({ caller, params, body }) {
      const ids = await snapshots.create(caller, params, body ?? {});
      return { ...noContent(), headers: { 'svc-snapshot': ids.join(', ') } };
    },
    deleteSnapshot: ({ caller, params }) => done(snapshots.delete(caller, params)),
    getSnapshotDownload: async ({ caller, params }) => ok(await snapshots.link(caller, params)),
    async getSnapshotArchive({ query }) {
      const { deployment, snapshot, includesBroker } = await snapshots.open(query.token);
      const headers = { 'content-disposition': `attachment; filename="${fullNameOf(snapshot)}.zip"` };
      const content = archiveOf(database, deployment, snapshot, includesBroker);
      return { ...ok(undefined), raw: { type: 'application/zip', headers, content } };
    },
  } satisfies Partial<Handlers<operations>>;
}

/** A snapshot as the interface shows it (2.14). */
const snapshotView = (
  deployment: Deployment,
  snapshot: ListedSnapshot,
): components['schemas']['Snapshot'] => ({
  ...placeIn(deployment),
  ...shown(snapshot, 'id', 'node_id', 'created_at', 'completed_at'),
  deployment_name: deployment.spec.name,
  name: fullNameOf(snapshot),
  status: snapshot.completed_at === null ? 'processing' : 'completed',
});

export function snapshotIntakeOperations(intake: SnapshotIntake) {
  return {
    postSnapshotFindings: ({ caller, params, body }) =>
      done(intake.findings(caller, params.snapshot_id, body)),
    postSnapshotArchive: ({ caller, params, body }) => done(intake.archive(caller, params.snapshot_id, body)),
  } satisfies Partial<Handlers<AgentOperations, Agent>>;
}
