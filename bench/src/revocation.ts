import { revocableRights, startReplicas, tryRevocations } from '@sluice/testing';
import { spread, table } from './report.ts';

/**
 * Takes rights away while requests flow to two replicas of each layer. After the answer to the change, not one request
 * may get through on the old right. Prints the counts, and how long the changes took to answer.
 */
const trials = Number(process.argv[2] ?? 10_000);

const stack = await startReplicas(2);
try {
  const rows: string[][] = [];
  const rights = Object.entries(revocableRights(stack));
  let stale = 0;
  for (const [name, right] of rights) {
    const outcome = await tryRevocations(stack, [right], Math.ceil(trials / rights.length));
    stale += outcome.stale.length;
    process.stderr.write(`${name}: ${outcome.trials} trials done, ${outcome.stale.length} stale\n`);
    rows.push([
      name,
      ...[outcome.trials, outcome.requests, outcome.allowed, outcome.stale.length].map(String),
      ...spread(outcome.waits),
    ]);
  }
  const head = ['right', 'trials', 'requests', 'allowed', 'stale', 'wait ms median', 'min', 'p90', 'max'];
  process.stdout.write(`${table(head, rows)}\n`);
  process.exitCode = stale === 0 ? 0 : 1;
} finally {
  await stack.remove();
}
