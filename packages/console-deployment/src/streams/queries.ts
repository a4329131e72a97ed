import { getConsumerLag, listStreamConsumers, listStreams } from '@sluice/client';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { readPages } from '@sluice/console-core/api/pages.ts';
import { refreshOf, timesOf, type MetricRange } from '@sluice/console-core/lib/ranges.ts';
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

/** The lag of one consumer, or of those that lagged most, with the times that it is about. */
export const lagQuery = (
  { path: { tenant_id, deployment_id }, layer, supervisor }: AtRegion,
  { stream, consumer, range }: { stream: string; consumer: string | undefined; range: MetricRange },
) => ({
  queryKey: keyOf(layer, tenant_id, 'lag', deployment_id, stream, consumer, range),
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const span = timesOf(range, new Date());
    const { data: lag } = await getConsumerLag({
      client: supervisor,
      path: { deployment_id, stream_name: stream },
      // the peaks are what is looked for
      query: { ...span, aggregate: 'max', ...(consumer !== undefined && { consumers: [consumer] }) },
      signal,
    });
    return { span, lag };
  },
  refetchInterval: refreshOf(range),
});
