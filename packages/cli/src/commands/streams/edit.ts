import { isDeepStrictEqual } from 'node:util';
import type { StreamConfig } from '@nats-io/jetstream';
import { withStreams, type BrokerFlags } from '../broker/broker.ts';
import { showRequest } from '../broker/dry-run.ts';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes } from '@sluice/terminal/errors';
import type { DestroyFlags } from '@sluice/terminal/options';
import { confirm } from '../../prompts.ts';
import { cutsOf } from './cuts.ts';
import { shapeOf, type ShapeFlags } from './shape.ts';
import { titleOf, view } from './streams.ts';

export async function edit(
  cli: Cli,
  name: string,
  at: string | undefined,
  flags: BrokerFlags & DestroyFlags & ShapeFlags,
): Promise<void> {
  const shape = await shapeOf(cli, flags);
  await withStreams(cli, at, flags, async (broker) => {
    const { streams } = broker.manager;
    const before = await streams.info(name);
    const config: StreamConfig = { ...before.config, ...shape, name };
    const changes = changesOf(before.config, config);
    if (changes.length === 0) {
      cli.say(`Nothing changes for the stream ${titleOf(broker, name)}.`);
      return cli.output.item(before, view);
    }
    changes.forEach((change) => cli.say(change));
    const { deleted, remarks } = await cutsOf(broker, before, config);
    [...deleted, ...remarks].forEach((line) => cli.say(line));
    await showRequest(cli, broker, { subject: `$JS.API.STREAM.UPDATE.${name}`, body: config });
    if (deleted.length > 0)
      await confirm(cli, { what: `messages of the stream ${titleOf(broker, name)}`, name }, flags);
    // a question takes time
    if (!isDeepStrictEqual((await streams.info(name)).config, before.config))
      throw new CliError({
        exitCode: exitCodes.conflict,
        message: `The stream ${titleOf(broker, name)} was changed meanwhile, and is left as it is.`,
        next: 'run the command again',
      });
    await cli.output.item(await streams.update(name, config), view);
  });
}

/** `max_msgs: -1 → 100`, a line per change. */
function changesOf(before: StreamConfig, after: StreamConfig): string[] {
  const keys = Object.keys(after) as (keyof StreamConfig)[];
  return keys
    .filter((key) => !isDeepStrictEqual(before[key], after[key]))
    .map((key) => `${key}: ${JSON.stringify(before[key]) ?? 'unset'} → ${JSON.stringify(after[key])}`);
}
