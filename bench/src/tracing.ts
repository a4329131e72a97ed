import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLog } from '@sluice/system/log';
import {
  beginSpan,
  startTracing,
  traced,
  tracedWithin,
  type Tracing,
  type TracingEnvironment,
} from '@sluice/system/tracing';
import { table } from './report.ts';

/**
 * What tracing costs a program: CPU for each piece of work that is traced, while nothing is traced and while all is recorded and sent to a
 * receiver, beside the same work by itself. Aim: off, under a microsecond.
 *
 * npm run bench:tracing [-- rounds [pieces]]
 */
const rounds = Number(process.argv[2] ?? 5);
const pieces = Number(process.argv[3] ?? 200_000);
/** in one request */
const statements = 9;

const attributes = { 'db.system.name': 'postgresql', 'db.query.text': 'SELECT 1' };
const nothing = async () => undefined;

const ways: Record<string, () => Promise<void>> = {
  'the work by itself': async () => {
    for (let i = 0; i < pieces; i++) await nothing();
  },
  'off: a piece of work': async () => {
    for (let i = 0; i < pieces; i++) await traced('work', {}, nothing);
  },
  'off: a span that is asked for': async () => {
    for (let i = 0; i < pieces; i++) beginSpan('work');
  },
};

/** A request with its statements, as often as makes so many spans. */
async function requests(): Promise<void> {
  const request = async () => {
    for (let i = 0; i < statements; i++) await tracedWithin('SQL', { kind: 'client', attributes }, nothing);
  };
  for (let i = 0; i < pieces / (statements + 1); i++) {
    await traced('request', { kind: 'server' }, request);
    // as a service does: what waits is sent meanwhile
    if (i % 50 === 0) await nextTurn();
  }
}

/** @returns nanoseconds of CPU for each piece, the median of all rounds */
async function measure(work: () => Promise<void>): Promise<number> {
  await work();
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    taken.push(((user + system) * 1_000) / pieces);
  }
  return taken.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? NaN;
}

/** Has all traced, and sent to a receiver that takes everything. */
async function begin(): Promise<{ tracing: Tracing; end: () => Promise<void> }> {
  const receiver = createServer((request, response) => {
    request.resume().once('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const environment: TracingEnvironment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    OTEL_TRACES_SAMPLER_ARG: 1,
  };
  const log = createLog({ service: 'bench', level: 'error' });
  const tracing = await startTracing(environment, { service: 'bench', version: '0' }, log);
  if (!tracing) throw new Error('nothing is traced');
  const end = async () => {
    await tracing.stop();
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  };
  return { tracing, end };
}

const rows: string[][] = [];
for (const [name, work] of Object.entries(ways)) rows.push([name, (await measure(work)).toFixed(0)]);
const beforeLoading = process.cpuUsage();
const { tracing, end } = await begin();
const loading = process.cpuUsage(beforeLoading);
rows.push(['on: a span within a request', (await measure(requests)).toFixed(0)]);
const { sent, lost } = tracing.counts;
await end();
console.log(table(['CPU for each', 'ns'], rows));
console.log(
  `To load the library: ${((loading.user + loading.system) / 1_000).toFixed(0)} ms of CPU, once. ${sent} spans were sent, ${lost} more than could be.`,
);
