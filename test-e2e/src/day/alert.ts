import type { Day } from './day.ts';
import { keysOf } from './keys.ts';
import { startPrometheus, stopPrometheus, untilAlert, untilScraped } from './prometheus.ts';
import { lastVersion } from './releases.ts';

const name = 'SluiceDeadLetters';

/** Causes an alert, and resolves it by its runbook. */
export async function alert(day: Day): Promise<void> {
  const version = await lastVersion(day);
  const cluster = await day.cluster();
  await startPrometheus(day, `sluice-${version}.tgz`);
  day.note(
    `Prometheus scrapes: ${await untilScraped(day, ['main-api', 'audit', 'notifier', 'console', 'supervisor'])}`,
  );
  await untilAlert(day, name, false);
  const seed = (await keysOf(day)).get('nats-operator.nk') ?? '';
  const number = await cluster.deadLetterBy(seed);
  day.note('An event without its time is published by the user nats-operator.');
  const fired = await untilAlert(day, name, true);
  day.note(
    `${name} fires: ${fired?.annotations['summary'] ?? ''}, ${fired?.annotations['runbook_url'] ?? ''}`,
  );
  await day.block(
    `alerts: ${name}`,
    { namespace: 'sluice', service: 'audit', database: 'audit' },
    { keep: [/audit {2}sluice\.events/] },
  );
  const dropped = { number: String(number), namespace: 'sluice', service: 'audit', database: 'audit' };
  await day.block(`alerts: ${name} (3)`, dropped, { keep: [/is removed/] });
  await untilAlert(day, name, false);
  day.note(`${name} is resolved.`);
  await stopPrometheus(day);
}
