import type { StreamConfig } from '@nats-io/jetstream';
import { withStreams, type BrokerFlags } from '../broker/broker.ts';
import { showRequest } from '../broker/dry-run.ts';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import { shapeOf, type ShapeFlags } from './shape.ts';
import { view } from './streams.ts';

/** nodes of a cluster that a stream is on by itself */
const safeReplicas = 3;

export async function create(
  cli: Cli,
  name: string,
  at: string | undefined,
  flags: BrokerFlags & ShapeFlags & Partial<Pick<StreamConfig, 'retention' | 'storage'>>,
): Promise<void> {
  const { retention, storage } = flags;
  const shape = await shapeOf(cli, flags);
  if (!shape.subjects && !shape.mirror && !shape.sources)
    throw usageError(
      'Which subjects does the stream take?',
      'pass --subjects, such as --subjects "orders.>"',
    );
  await withStreams(cli, at, flags, async (broker) => {
    const config = {
      num_replicas: broker.nodes >= safeReplicas ? safeReplicas : 1,
      // reads of single messages are answered by any replica
      allow_direct: true,
      ...shape,
      ...(retention !== undefined && { retention }),
      ...(storage !== undefined && { storage }),
      name,
    };
    await showRequest(cli, broker, { subject: `$JS.API.STREAM.CREATE.${name}`, body: config });
    await cli.output.item(await broker.manager.streams.add(config), view);
  });
}
