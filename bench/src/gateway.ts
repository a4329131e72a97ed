import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { haproxyProgram, startNats } from '@sluice/embedded';
import type { Load, Measured } from './gateway/load.ts';
import { gatewayWay, haproxyWay, type Way } from './gateway/ways.ts';
import { median, table } from './report.ts';

/**
 * What stands between clients and their broker, against the broker itself and against HAProxy with the same rule, in one run:
 * how much passes in each direction, and how long a message to oneself takes. Every round measures every way, so that what else
 * the machine does meets all of them; the report has medians, and their share of those of the direct way.
 *
 * npm run bench:gateway [-- rounds [seconds]], such as 5 0.5
 */
const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 0.5);
const cases = [128, 4096].flatMap((size) => [1, 50].map((connections) => ({ size, connections })));
const whats = ['publish', 'subscribe', 'round trips'] as const;

const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
const broker = await startNats({ folder: join(folder, 'broker') });
const ways: Way[] = [{ name: 'the broker itself', port: broker.port, end: () => undefined }];
try {
  ways.push(await gatewayWay('gateway', join(folder, 'gateway'), broker));
  const haproxy = await haproxyProgram();
  if (haproxy === undefined) process.stdout.write('There is no HAProxy to compare with.\n');
  else ways.push(await haproxyWay(haproxy, join(folder, 'haproxy'), broker));

  const measured = new Map<string, Measured[]>();
  for (let round = 0; round < rounds; round++)
    for (const { size, connections } of cases)
      for (const what of whats)
        for (const way of inTurn(ways, round)) {
          const load = { port: way.port, direct: broker.port, connections, size, what, seconds };
          const key = keyOf(way, size, connections, what);
          measured.set(key, [...(measured.get(key) ?? []), await run(load)]);
        }
  for (const { size, connections } of cases)
    process.stdout.write(`${report(measured, size, connections)}\n\n`);
} finally {
  for (const way of ways) way.end();
  await broker.stop();
  await rm(folder, { recursive: true, force: true });
}

/** The first of one round is not first in the next. */
function inTurn(all: readonly Way[], round: number): Way[] {
  const first = round % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

function keyOf(way: Way, size: number, connections: number, what: string): string {
  return [way.name, size, connections, what].join();
}

async function run(load: Load): Promise<Measured> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'gateway/load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(load));
  return JSON.parse(await text(child.stdout)) as Measured;
}

function report(measured: ReadonlyMap<string, Measured[]>, size: number, connections: number): string {
  const columns = [
    ['publish', 'megabytesPerSecond'],
    ['subscribe', 'megabytesPerSecond'],
    ['round trips', 'p50'],
    ['round trips', 'p99'],
  ] as const;
  const medians = (way: Way) =>
    columns.map(([what, field]) => {
      const runs = measured.get(keyOf(way, size, connections, what)) ?? [];
      return median(runs.map((one) => one[field] ?? NaN));
    });
  const direct = ways[0] === undefined ? [] : medians(ways[0]);
  const rows = ways.map((way) => [
    way.name,
    ...medians(way).flatMap((value, column) => [
      value.toFixed(0),
      (value / (direct[column] ?? NaN)).toFixed(2),
    ]),
    ...whats.map((what) =>
      median((measured.get(keyOf(way, size, connections, what)) ?? []).map(({ busy }) => busy)).toFixed(1),
    ),
  ]);
  const head = [
    `${size} B, ${connections} connection${connections === 1 ? '' : 's'}`,
    ...[
      'publish MB/s',
      'of direct',
      'subscribe MB/s',
      'of direct',
      'p50 µs',
      'of direct',
      'p99 µs',
      'of direct',
    ],
    ...['load: cores', 'cores', 'cores'],
  ];
  return table(head, rows);
}
