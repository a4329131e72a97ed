import type { Job } from '@sluice/controller';
import { system, type Log } from '@sluice/service';
import type { Core } from '../../core.ts';
import { giveUpUpgrades } from '@sluice/main-store/deployment-upgrades.store';
import { aboutOf, failUnreported, findDeployments } from '@sluice/main-store/deployments.store';
import { changeOf } from './upgrades.ts';

/** deployments and upgrades that end in one transaction */
const batch = 100;

/**
 * Fails deployments and upgrades of which their regions have reported nothing for `seconds`. A later report wins. The first minute is for
 * the reports that came while main-api was away.
 */
export function unreportedJob({ work, now }: Pick<Core, 'work' | 'now'>, seconds: number, log: Log): Job {
  const reason = `the region has reported nothing for ${seconds} seconds`;
  const startsAt = performance.now() + Math.min(60, seconds) * 1_000;

  const failSome = () =>
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
        log.warn('regions have not reported deployments or upgrades in time', {
          deployments: failed.map(({ id }) => id),
          upgrades: upgrades.map(({ id }) => id),
        });
      return Math.max(failed.length, upgrades.length);
    });

  return {
    name: 'unreported',
    every: Math.min(30, seconds),
    async run(signal) {
      if (performance.now() < startsAt) return;
      let found = batch;
      while (found === batch && !signal.aborted) found = await failSome();
    },
  };
}
