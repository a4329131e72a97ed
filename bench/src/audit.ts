import { exporting, type Exported } from './audit/exporting.ts';
import { fill, timeOf } from './audit/filling.ts';
import { inserting, recording, type Inserted, type Recorded } from './audit/ingestion.ts';
import { startInstallation } from './audit/installation.ts';
import { listing, type Lists } from './audit/listing.ts';
import { table } from './report.ts';

/**
 * How long the audit log's lists take, of the tenant that has a fifth of all entries, before and after the log has grown tenfold, and
 * how fast it is verified, and how fast and with how much memory exported; then how fast events are recorded from JetStream by a
 * process of the service that is warm, against INSERTs of the same rows by hand into a table with the same indexes: of both, in turn, the
 * fastest of three rounds. Aims: p99 under 50 ms, as long with ten times as many; 150 MiB for an export of a million; half the rate of
 * the INSERTs.
 *
 * npm run bench:audit [-- entries [tenants [events]]], such as 1000000 1000 60000
 */
const entries = Number(process.argv[2] ?? 100_000);
const tenants = Number(process.argv[3] ?? 100);
const events = Number(process.argv[4] ?? 40_000);
const now = Date.now();
if (![entries, tenants, events].every(Number.isInteger) || entries < 20 || tenants < 2 || events < 1)
  throw new Error('needs at least 20 entries, 2 tenants and 1 event');

const on = await startInstallation();
try {
  // it makes the tables
  await (await on.start()).stop();
  const small = await filledAndListed(0, Math.floor(entries / 10));
  const large = await filledAndListed(Math.floor(entries / 10), entries);
  write(
    ['lists of the largest tenant, ms', ...sizes(['p50', 'p99'])],
    [...small.latencies].map(([query, one]) => {
      const other = large.latencies.get(query);
      return [query, ...[one.p50, one.p99, other?.p50, other?.p99].map((value = NaN) => value.toFixed(1))];
    }),
  );
  write(
    ['', ...sizes([''])],
    [
      ['entries verified a second', small.verified.toFixed(0), large.verified.toFixed(0)],
      ['µs to count an entry', small.counting.toFixed(1), large.counting.toFixed(1)],
      ['entries exported a second', small.exported.rate.toFixed(0), large.exported.rate.toFixed(0)],
      ['MiB for that at most', small.exported.mebibytes.toFixed(0), large.exported.mebibytes.toFixed(0)],
    ],
  );
  const rounds: { recorded: Recorded; byHand: Inserted }[] = [];
  for (let round = 0; round < 3; round++)
    rounds.push({
      recorded: await recording(on, events, tenants),
      byHand: await inserting(on, events),
    });
  // what else the machine does slows both
  const recorded = fastest(rounds.map((round) => round.recorded));
  const byHand = fastest(rounds.map((round) => round.byHand));
  const { service, postgres, nats } = recorded.cpu;
  write(
    [
      `${events} events of ${tenants} tenants`,
      'a second',
      'of the INSERTs',
      ...cpuOf(['service', 'PostgreSQL', 'NATS']),
    ],
    [
      [
        'INSERTs by hand, 500 at a time',
        byHand.rate.toFixed(0),
        '1.00',
        '',
        byHand.cpu.postgres.toFixed(0),
        '',
      ],
      [
        ...['Sluice', recorded.rate.toFixed(0), (recorded.rate / byHand.rate).toFixed(2)],
        ...[service, postgres, nats].map((each) => each.toFixed(0)),
      ],
    ],
  );
} finally {
  await on.remove();
}

/** Has the log grow, and lists it with a service that is started for that. */
async function filledAndListed(
  from: number,
  to: number,
): Promise<Lists & { counting: number; exported: Exported }> {
  const begun = performance.now();
  const counting = await fill(on.pool, { from, to, size: entries, tenants, now });
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  process.stderr.write(`filled with ${to - from} entries in ${seconds} s\n`);
  const service = await on.start();
  const middle = timeOf(to / 2, entries, now);
  const lists = await listing(on, service.url, middle);
  await service.stop();
  const exported = await exporting(on);
  return { ...lists, counting, exported };
}

function fastest<Round extends { rate: number }>(rounds: readonly Round[]): Round {
  return rounds.reduce((one, other) => (one.rate >= other.rate ? one : other));
}

function sizes(what: readonly string[]): string[] {
  return [Math.floor(entries / 10), entries].flatMap((size) => what.map((one) => `${one} ${size}`.trim()));
}

function cpuOf(programs: readonly string[]): string[] {
  return programs.map((program) => `CPU of ${program}, µs each`);
}

function write(head: readonly string[], rows: readonly (readonly string[])[]): void {
  process.stdout.write(`${table(head, rows)}\n\n`);
}
