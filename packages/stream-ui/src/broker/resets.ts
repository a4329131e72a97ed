import type { ConsumerInfo, StreamInfo } from '@nats-io/jetstream';
import { plural } from '@sluice/ui/lib/quantity.ts';
import { countFrom } from './stored.ts';
import type { Broker } from './session.ts';

/** What a consumer takes of its stream; empty for all. */
export const filtersOf = ({ config }: ConsumerInfo): string[] =>
  config.filter_subjects ?? (config.filter_subject ? [config.filter_subject] : []);

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
  const { delivered, num_pending: waiting, num_ack_pending: open } = consumer;
  const next = delivered.stream_seq + 1;
  const { retention } = stream.config;
  if (retention !== 'limits' && target > next)
    return {
      effect: '',
      refused: `The stream keeps messages until they are acknowledged (${retention}): what is skipped would be lost. Skip nothing: ${next} at most.`,
    };
  const count = await countFrom(broker, stream, target, filtersOf(consumer));
  const unacknowledged =
    open > 0 ? ` ${plural(open, 'message')} without acknowledgement are no longer waited for.` : '';
  if (target >= next) {
    const skipped =
      count === undefined
        ? `messages before sequence ${target}`
        : plural(Math.max(0, waiting - count), 'message');
    return {
      effect: `This skips ${skipped}: it goes on at sequence ${target} instead of ${next}.${unacknowledged}`,
    };
  }
  const most = count ?? waiting + next - target;
  const repeated = `${count === undefined ? 'at most ' : ''}${plural(Math.max(0, most - waiting), 'message')}`;
  return {
    effect: `This repeats ${repeated} from sequence ${target} on: they are delivered again.${unacknowledged}`,
  };
}
