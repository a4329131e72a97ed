import type { PurgeOpts } from '@nats-io/jetstream';
import { withStreams, type BrokerFlags } from '../broker/broker.ts';
import { showRequest } from '../broker/dry-run.ts';
import { countFrom } from '@sluice/streams';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import type { DestroyFlags } from '@sluice/terminal/options';
import { confirm } from '../../prompts.ts';
import { countOf, titleOf } from './streams.ts';

interface PurgeFlags extends BrokerFlags, DestroyFlags {
  subject?: string;
  before?: number;
  keep?: number;
}

export async function purge(
  cli: Cli,
  name: string,
  at: string | undefined,
  { subject, before, keep, ...flags }: PurgeFlags,
): Promise<void> {
  // JetStream takes 0 for all of them
  if (before === 0) throw usageError('--before: sequences begin with 1.');
  await withStreams(cli, at, flags, async (broker) => {
    const { streams } = broker.manager;
    const stream = await streams.info(name);
    const fitting =
      subject === undefined ? stream.state.messages : await countFrom(broker, stream, 1, [subject]);
    const kept =
      before === undefined ? (keep ?? 0) : await countFrom(broker, stream, before, subject ? [subject] : []);
    const count = fitting === undefined || kept === undefined ? undefined : Math.max(0, fitting - kept);
    const request: PurgeOpts = {
      ...(subject !== undefined && { filter: subject }),
      ...(before !== undefined && { seq: before }),
      ...(keep !== undefined && { keep }),
    } as PurgeOpts;
    await showRequest(cli, broker, { subject: `$JS.API.STREAM.PURGE.${name}`, body: request });
    const which = count === undefined ? 'messages' : countOf(count, 'message');
    await confirm(cli, { what: `${which} of the stream ${titleOf(broker, name)}`, name }, flags);
    const { purged } = await streams.purge(name, request);
    cli.say(
      `${countOf(purged, 'message')} of the stream ${titleOf(broker, name)} ${purged === 1 ? 'is' : 'are'} deleted.`,
    );
  });
}
