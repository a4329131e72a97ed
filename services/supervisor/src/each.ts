import type { DeploymentId } from '@sluice/contracts';
import type { Log } from '@sluice/service';

type OfDeployment = DeploymentId | { deployment_id: DeploymentId };

/** Does the work for each in turn. What fails holds up no other: it is logged, with its deployment. @returns how many were done */
export async function each<Item extends OfDeployment>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  { log, failed }: { log: Log; failed: string },
  signal?: AbortSignal,
): Promise<number> {
  let done = 0;
  for (const item of items) {
    if (signal?.aborted) break;
    await work(item).then(
      () => done++,
      (error: unknown) =>
        log.warn(failed, { deployment: typeof item === 'object' ? item.deployment_id : item, error }),
    );
  }
  return done;
}
