import type { ConsumerConfig, ConsumerInfo, StreamInfo } from '@nats-io/jetstream';
import { resetCount } from '@sluice/streams';
import { withStreams, type BrokerFlags, type StreamBroker } from '../broker/broker.ts';
import { showRequest } from '../broker/dry-run.ts';
import { sequenceOf, type Position } from '../broker/positions.ts';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes } from '@sluice/terminal/errors';
import type { DestroyFlags } from '@sluice/terminal/options';
import { confirm } from '../../prompts.ts';
import { countOf } from '../streams/streams.ts';
import { view } from './consumers.ts';

interface ResetFlags extends BrokerFlags, DestroyFlags {
  to: Position;
  recreate?: boolean;
}

/** what a broker of 2.14 or newer resets: those that do not begin at what comes then */
const resettable = ['all', 'by_start_sequence', 'by_start_time'];
const cannotReset = 10204;

export async function reset(
  cli: Cli,
  stream: string,
  name: string,
  at: string | undefined,
  { to, recreate = false, ...flags }: ResetFlags,
): Promise<void> {
  await withStreams(cli, at, flags, async (broker) => {
    const { consumers, streams } = broker.manager;
    const [about, before] = await Promise.all([streams.info(stream), consumers.info(stream, name)]);
    const target = Math.max(1, await sequenceOf(broker, about, to));
    refuseLoss(about, before, target, recreate);
    const title = `the consumer ${name} of ${stream} of ${broker.place}`;
    const { effect, delivers } = await effectOf(broker, about, before, target);
    cli.say(effect);
    const config = recreate ? movedTo(before.config, target) : undefined;
    await showRequest(
      cli,
      broker,
      config
        ? { subject: `$JS.API.CONSUMER.CREATE.${stream}.${name}`, body: config }
        : { subject: `$JS.API.CONSUMER.RESET.${stream}.${name}`, body: { seq: target } },
    );
    await confirm(cli, { what: title, name, does: delivers }, flags);
    const after = config
      ? await recreated(cli, broker, before, config)
      : await resetInPlace(broker, stream, before, target);
    await cli.output.item(after, view);
  });
}

/** @throws CliError where messages would be lost, or what made the consumer would no longer know it */
function refuseLoss(
  { config: { name: stream, retention } }: StreamInfo,
  { config, name, delivered }: ConsumerInfo,
  target: number,
  recreate: boolean,
): void {
  const refused = (message: string, next?: string) =>
    new CliError({ exitCode: exitCodes.conflict, message, next });
  if (retention !== 'limits' && target > delivered.stream_seq + 1)
    throw refused(
      `The stream ${stream} keeps messages until they are acknowledged (${retention}): what the consumer skips would be ${retention === 'interest' ? 'deleted' : 'left for no consumer'}.`,
      `skip nothing: --to ${delivered.stream_seq + 1} at most`,
    );
  if (recreate && retention !== 'limits')
    throw refused(
      `The stream ${stream} is of type ${retention}: while the consumer is deleted, messages are lost or go to others.`,
      'reset it without --recreate, on a broker of 2.14 or newer',
    );
  if (recreate && !config.durable_name)
    throw refused(
      `The consumer ${name} is ephemeral: its client makes another one when it is deleted.`,
      'restart the client with another start position',
    );
  if (!recreate && !resettable.includes(config.deliver_policy))
    throw refused(
      `The broker resets no consumer that begins at ${config.deliver_policy}.`,
      'pass --recreate: its configuration then says the sequence, and a client that creates it with another start is refused',
    );
}

interface Effect {
  effect: string;
  /** for the question */
  delivers: string;
}

async function effectOf(
  broker: StreamBroker,
  stream: StreamInfo,
  consumer: ConsumerInfo,
  target: number,
): Promise<Effect> {
  const counted = await resetCount(broker, stream, consumer, target);
  const open = consumer.num_ack_pending;
  const unacknowledged =
    open > 0
      ? ` ${countOf(open, 'message')} without acknowledgement ${open === 1 ? 'is' : 'are'} no longer waited for.`
      : '';
  if (counted.moves === 'on') {
    const skipped =
      counted.skipped === undefined
        ? `messages before sequence ${target}`
        : countOf(counted.skipped, 'message');
    return {
      effect: `This skips ${skipped}: it goes on at sequence ${target} instead of ${counted.next}.${unacknowledged}`,
      delivers: `skips ${skipped} for`,
    };
  }
  const repeated = `${counted.isExact ? '' : 'at most '}${countOf(counted.repeated, 'message')}`;
  return {
    effect: `This repeats ${repeated} from sequence ${target} on: they are delivered again.${unacknowledged}`,
    delivers: `repeats ${repeated} for`,
  };
}

async function resetInPlace(
  { manager: { consumers } }: StreamBroker,
  stream: string,
  { name, config }: ConsumerInfo,
  target: number,
): Promise<ConsumerInfo> {
  try {
    return await consumers.reset(stream, name, target);
  } catch (error) {
    const { code, message } = error as Error & { code?: number };
    if (code === cannotReset)
      throw new CliError({
        exitCode: exitCodes.conflict,
        message: `The broker does not reset the consumer ${name} to ${target}: ${message}.`,
        details: [`It begins at ${config.opt_start_seq ?? config.opt_start_time ?? config.deliver_policy}.`],
        next: 'choose a later position, or pass --recreate',
      });
    if (!/requires server/.test(message)) throw error;
    throw new CliError({
      exitCode: exitCodes.conflict,
      message: 'Brokers before 2.14 cannot reset a consumer.',
      next: 'pass --recreate: its configuration then says the sequence, and a client that creates it with another start is refused',
    });
  }
}

/** The same configuration with another start. */
function movedTo(config: ConsumerConfig, target: number): ConsumerConfig {
  const moved: ConsumerConfig = { ...config, deliver_policy: 'by_start_sequence', opt_start_seq: target };
  delete moved.opt_start_time;
  if (Date.parse(moved.pause_until ?? '') <= Date.now()) delete moved.pause_until;
  return moved;
}

async function recreated(
  cli: Cli,
  { manager: { consumers } }: StreamBroker,
  { stream_name: stream, name }: ConsumerInfo,
  config: ConsumerConfig,
): Promise<ConsumerInfo> {
  await consumers.delete(stream, name);
  try {
    return await consumers.add(stream, config);
  } catch (error) {
    // also after Ctrl-C, which hides errors: nothing else has it now
    cli.say(`The configuration of the consumer ${name}: ${JSON.stringify(config)}`);
    throw new CliError({
      exitCode: exitCodes.partlyApplied,
      message: `The consumer ${name} is deleted, and could not be created again: ${(error as Error).message}.`,
      next: 'create it with this configuration from a client of yours',
    });
  }
}
