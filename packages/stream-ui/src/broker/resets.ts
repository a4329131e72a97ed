import type { ConsumerInfo, StreamInfo } from '@nats-io/jetstream';
import { resetCount } from '@sluice/streams';
import { plural } from '@sluice/ui/lib/quantity.ts';
import type { Broker } from './session.ts';

export interface ResetEffect {
  effect: string;
  /** why it is not to be done */
  refused?: string;
}

/** What it repeats or skips to have a consumer begin again at a sequence. */
export async function resetEffect(
  broker: Broker,
  stream: StreamInfo,
  consumer: ConsumerInfo,
  target: number,
): Promise<ResetEffect> {
  const { delivered, num_ack_pending: open } = consumer;
  const { retention } = stream.config;
  const next = delivered.stream_seq + 1;
  if (retention !== 'limits' && target > next)
    return {
      effect: '',
      refused: `The stream keeps messages until they are acknowledged (${retention}): what is skipped would be lost. Skip nothing: ${next} at most.`,
    };
  const counted = await resetCount(broker, stream, consumer, target);
  const unacknowledged =
    open > 0
      ? ` ${plural(open, 'message')} without acknowledgement ${open === 1 ? 'is' : 'are'} no longer waited for.`
      : '';
  if (counted.moves === 'on') {
    const skipped =
      counted.skipped === undefined
        ? `messages before sequence ${target}`
        : plural(counted.skipped, 'message');
    return {
      effect: `This skips ${skipped}: it goes on at sequence ${target} instead of ${next}.${unacknowledged}`,
    };
  }
  const repeated = `${counted.isExact ? '' : 'at most '}${plural(counted.repeated, 'message')}`;
  return {
    effect: `This repeats ${repeated} from sequence ${target} on: they are delivered again.${unacknowledged}`,
  };
}
