import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

/**
 * Runs all benchmarks, one after the other, each as short as still says something: about a quarter of an hour on two cores. Exit code 1
 * when one of them fails, or finds what must not be.
 *
 * npm run bench [-- name…], such as api gateway
 */
interface Benchmark {
  name: string;
  file: string;
  args: readonly string[];
}

/** The quick ones first. */
const benchmarks: readonly Benchmark[] = [
  { name: 'permissions', file: 'permissions.ts', args: [] },
  { name: 'tracing', file: 'tracing.ts', args: [] },
  { name: 'http', file: 'http-validation.ts', args: [] },
  { name: 'cli', file: 'cli.ts', args: ['10'] },
  { name: 'gateway', file: 'gateway.ts', args: ['5', '0.5'] },
  { name: 'notifier', file: 'notifier.ts', args: ['2000', '12000', '3'] },
  { name: 'api', file: 'api.ts', args: ['3', '4000'] },
  { name: 'audit', file: 'audit.ts', args: ['100000', '100', '5000'] },
  { name: 'billing', file: 'billing.ts', args: ['200', '100'] },
  { name: 'first-message', file: 'first-message.ts', args: ['10'] },
  { name: 'feeds', file: 'feeds.ts', args: ['2000', '5'] },
  { name: 'console', file: 'console.ts', args: ['1000', '100'] },
  { name: 'revocation', file: 'revocation.ts', args: ['1000'] },
  { name: 'reconciler', file: 'reconciler.ts', args: ['15', '1,100,1000', '500'] },
  { name: 'fleet', file: 'fleet.ts', args: ['30', '200,2000'] },
  { name: 'grants', file: 'grants.ts', args: ['10000'] },
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !benchmarks.some((one) => one.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}: ${benchmarks.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

console.log(machine());
const failed: string[] = [];
for (const { name, file, args } of benchmarks) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const begun = performance.now();
  console.log(`\n## ${name}, with the load at ${loadavg()[0]?.toFixed(1)}\n`);
  const child = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, file), ...args], {
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) failed.push(name);
  console.log(`(${((performance.now() - begun) / 1_000).toFixed(0)} s, exit code ${code})`);
}
if (failed.length > 0) {
  console.log(`\nFailed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

/** What they ran on: figures of another machine are others. */
function machine(): string {
  const [first] = cpus();
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  const day = new Date().toISOString().slice(0, 10);
  return `# ${day}, ${cpus().length} cores (${first?.model.trim()}), ${memory}, Node ${process.version}`;
}
