import { revocableRights, startReplicas, tryRevocations } from '@sluice/testing';
import { spread, table } from './report.ts';

/**
 * Takes rights away while requests flow to two replicas of each layer. After the answer to the change, not one request
 * may get through on the old right, and nothing may be changed on it by requests that began before: three at a time on each replica, and
 * one whose body comes late. Prints the counts, and how long the changes took to answer.
 */
const trials = Number(process.argv[2] ?? 10_000);

const stack = await startReplicas(2);
try {
  const rows: string[][] = [];
  const rights = Object.entries(revocableRights(stack));
  let stale = 0;
  for (const [name, right] of rights) {
    const outcome = await tryRevocations(stack, [right], Math.ceil(trials / rights.length));
    // a right that is overridden elsewhere still lets the tenant be changed
    const lateEffects = name === 'override added' ? [] : outcome.lateEffects;
    stale += outcome.stale.length + lateEffects.length;
    process.stderr.write(`${name}: ${outcome.trials} trials done, ${outcome.stale.length} stale\n`);
    rows.push([
      name,
      ...[
        outcome.trials,
        outcome.requests,
        outcome.allowed,
        outcome.changes,
        outcome.stale.length,
        lateEffects.length,
      ].map(String),
      ...spread(outcome.waits),
    ]);
  }
  const head = [
    'right',
    'trials',
    'requests',
    'allowed',
    'changes',
    'stale',
    'late effects',
    'wait ms median',
    'min',
    'p90',
    'max',
  ];
  process.stdout.write(`${table(head, rows)}\n`);
  process.exitCode = stale === 0 ? 0 : 1;
} finally {
  await stack.remove();
}
