import { listed, ok, pageOf, type Handlers } from '@sluice/http';
import type { Database } from '../../database/tables.ts';
import type { operations } from '../../generated/api.ts';
import { done } from '../answers.ts';
import { archiveOf } from './archive.ts';
import { snapshotView } from './snapshot-view.ts';
import { fullNameOf, type SnapshotsService } from './snapshots.service.ts';

export function snapshotsOperations(snapshots: SnapshotsService, database: Database) {
  return {
    async listSnapshots({ params, query, url }) {
      const page = pageOf(query);
      const { deployment, snapshots: found, total } = await snapshots.page(params, page);
      return listed(
        url,
        page,
        found.map((snapshot) => snapshotView(deployment, snapshot)),
        total,
      );
    },
    createSnapshot: ({ caller, params, body }) => done(snapshots.create(caller, params, body ?? {})),
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
