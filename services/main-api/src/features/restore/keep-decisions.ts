import type { ServiceRuntime } from '@sluice/runtime';
import { figures, repeatedly } from '@sluice/service';
import { countOpenDifferences } from '../../stores/restore-differences.store.ts';
import { carryOutDecisions } from './decisions.ts';

const everySeconds = 5;

/**
 * Carries out what operators decide with `sluice-admin restore`, as soon as it says so, and measures how much is left to decide.
 * @returns ends it
 */
export async function keepDecisions(
  deciding: Parameters<typeof carryOutDecisions>[0],
  { notifications, metrics }: Pick<ServiceRuntime, 'notifications' | 'metrics'>,
): Promise<() => Promise<void>> {
  const { database, log } = deciding;
  figures(
    metrics,
    {
      pending: {
        name: 'sluice_restore_review_pending',
        help: 'What was found to differ after a restore of the database, and no operator has decided yet; at most 100,000',
      },
    },
    async () => ({ pending: await countOpenDifferences(database) }),
  );
  let running: Promise<void> | undefined;
  const run = () => (running ??= carryOutDecisions(deciding).finally(() => (running = undefined)));
  const failed = (error: unknown) =>
    log.warn('decisions about a restore could not be carried out; it is tried again', { error });
  const unlisten = await notifications.listen('restore_decisions', () => void run().catch(failed));
  const stop = repeatedly({ everySeconds, run, failed });
  return async () => {
    unlisten();
    await stop();
    await running?.catch(() => undefined);
  };
}
