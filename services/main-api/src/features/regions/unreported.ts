import { setTimeout as pause } from 'node:timers/promises';
import { repeatedly, system, type Log } from '@sluice/service';
import type { Core } from '../../core.ts';
import { giveUpUpgrades } from '../../stores/deployment-upgrades.store.ts';
import { failUnreported, findDeployments } from '../../stores/deployments.store.ts';
import { aboutOf } from './deployment-subjects.ts';
import { changeOf } from './upgrades.ts';

/** deployments and upgrades that end in one transaction */
const batch = 100;

/**
 * Fails deployments and upgrades of which their regions have reported nothing for `seconds`. A region that reports later is right. The
 * first look waits for a minute, in which the reports are taken in that came while main-api was away.
 * @returns ends it
 */
export function watchUnreported(
  { work, now }: Pick<Core, 'work' | 'now'>,
  seconds: number,
  log: Log,
): () => Promise<void> {
  const reason = `the region has reported nothing for ${seconds} seconds`;
  let firstPause = Math.min(60, seconds) * 1_000;

  async function run(signal: AbortSignal): Promise<void> {
    await pause(firstPause, undefined, { signal });
    firstPause = 0;
    let found = batch;
    while (found === batch && !signal.aborted) found = await endSome();
  }

  const endSome = () =>
    work(system, async (tx) => {
      const before = new Date(now().getTime() - seconds * 1_000);
      const failed = await findDeployments(tx, await failUnreported(tx, before, reason, batch));
      for (const deployment of failed) {
        const { name, code } = deployment;
        tx.emit('deployment_failed', aboutOf(deployment), { name, code, reason });
      }
      const upgrades = await giveUpUpgrades(tx, before, reason, batch);
      const upgraded = await findDeployments(
        tx,
        upgrades.map(({ deployment_id }) => deployment_id),
      );
      for (const upgrade of upgrades) {
        const deployment = upgraded.find(({ id }) => id === upgrade.deployment_id);
        if (!deployment) continue;
        const failure = { ...changeOf(upgrade), rolled_back: false, reason };
        tx.emit('deployment_upgrade_failed', aboutOf(deployment), failure, upgrade.correlation_id);
      }
      if (failed.length + upgrades.length > 0)
        log.warn('regions have reported nothing of what they were sent', {
          deployments: failed.map(({ id }) => id),
          upgrades: upgrades.map(({ id }) => id),
        });
      return Math.max(failed.length, upgrades.length);
    });

  return repeatedly({
    everySeconds: Math.min(30, seconds),
    run,
    failed: (error) => log.warn('silent regions could not be looked for; it is tried again', { error }),
  });
}
