import { getSnapshotArchive, getSnapshotDownload, listSnapshots } from '@sluice/client';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { read } from '@sluice/console-core/api/query-client.ts';
import { readZipEntry } from '@sluice/console-core/lib/zip-entry.ts';
import type { OpenDeployment } from '../deployment-context.ts';
import type { Findings } from './findings.ts';

type AtRegion = Pick<OpenDeployment, 'path' | 'layer' | 'supervisor'>;

/** The diagnostic reports of a deployment, newest first, one for each node. */
export const snapshotsQuery = ({ path: { tenant_id, deployment_id }, layer, supervisor: client }: AtRegion) =>
  read(keyOf(layer, tenant_id, 'snapshot', deployment_id), (signal) =>
    listSnapshots({ client, path: { deployment_id }, query: { results: 100 }, signal }),
  );

/** What a report has found, from its ZIP. A complete report does not change. */
export const findingsQuery = (
  { path: { tenant_id, deployment_id }, layer, supervisor: client }: AtRegion,
  snapshot_id: number,
) => ({
  queryKey: keyOf(layer, tenant_id, 'findings', deployment_id, snapshot_id),
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Findings> => {
    const { token } = await linkOf({ client, deployment_id, snapshot_id, signal });
    const { data } = await getSnapshotArchive({ client, query: { token }, parseAs: 'stream', signal });
    const text = await readZipEntry(data as unknown as ReadableStream<Uint8Array>, 'findings.json');
    if (text === undefined) throw new Error('There are no findings in this report.');
    return JSON.parse(text) as Findings;
  },
  staleTime: Infinity,
  refetchInterval: false as const,
});

interface LinkCall {
  client: AtRegion['supervisor'];
  deployment_id: number;
  snapshot_id: number;
  signal?: AbortSignal;
}

/** The link to a report's ZIP, which is good for five minutes. */
export async function linkOf({ client, deployment_id, snapshot_id, signal }: LinkCall) {
  const { data } = await getSnapshotDownload({
    client,
    path: { deployment_id, snapshot_id },
    ...(signal && { signal }),
  });
  return { ...data, token: new URL(data.url, location.href).searchParams.get('token') ?? '' };
}
