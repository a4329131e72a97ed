import { listStreamConsumers, listStreams } from '@sluice/client';
import { keyOf } from '../../../api/keys.ts';
import { readPages } from '../../../api/pages.ts';
import type { OpenDeployment } from '../deployment-context.ts';

type AtRegion = Pick<OpenDeployment, 'path' | 'layer' | 'supervisor'>;

/** The feeds tell of no message: agents report what has changed now and again. Milliseconds. */
const reportedEvery = 10_000;

/** The streams of a deployment, as its agents report them. */
export const streamsQuery = ({ path: { tenant_id, deployment_id }, layer, supervisor }: AtRegion) => ({
  ...readPages(keyOf(layer, tenant_id, 'stream', deployment_id), ({ query, signal }) =>
    listStreams({ client: supervisor, path: { deployment_id }, query, signal }),
  ),
  refetchInterval: reportedEvery,
});

/** The consumers of a stream, as agents report them. */
export const consumersQuery = (
  { path: { tenant_id, deployment_id }, layer, supervisor }: AtRegion,
  stream_name: string,
) => ({
  ...readPages(keyOf(layer, tenant_id, 'consumer', deployment_id, stream_name), ({ query, signal }) =>
    listStreamConsumers({ client: supervisor, path: { deployment_id, stream_name }, query, signal }),
  ),
  refetchInterval: reportedEvery,
});
