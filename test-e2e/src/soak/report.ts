import { cpus, totalmem } from 'node:os';
import { quantile } from '../long-run.ts';
import type { Asked } from './load.ts';
import type { MemorySample } from './services.ts';

/** A fault, from its strike until everything was ready again. Times are milliseconds since 1970. */
export interface Struck {
  name: string;
  from: number;
  to: number;
}

export interface Soaked {
  seed: number;
  begunAt: number;
  minutes: number;
  /** requests per second that could be answered at most, and that were sent */
  most: number;
  rate: number;
  faults: readonly Struck[];
  asked: readonly Asked[];
  memory: readonly MemorySample[];
  /** how many deployments were made, and changes acknowledged */
  created: number;
  acknowledged: number;
  /** sentences; none when all is well */
  wrong: readonly string[];
}

/** The requests that no fault could have touched. */
function outsideOf(asked: readonly Asked[], faults: readonly Struck[]): Asked[] {
  return asked.filter(
    ({ begunAt, endedAt }) => !faults.some(({ from, to }) => begunAt <= to && endedAt >= from),
  );
}

const megabyte = 2 ** 20;
/** how much more memory a service may have in the end, beyond what comes and goes */
const growth = { share: 1.25, bytes: 40 * megabyte };
/** a process that has just started has not yet what it needs */
const youngSeconds = 60;
/** before that nothing can be said about growth */
const shortestMinutes = 8;

interface Memory {
  service: string;
  /** medians of the second and of the last quarter of the time, in bytes; NaN where nothing was measured */
  before: number;
  after: number;
}

/** How the memory of each service was, once it had settled, and in the end. */
function memoryOf({ memory, begunAt, minutes }: Soaked): Memory[] {
  const quarter = (minutes * 60_000) / 4;
  const settled = memory.filter(({ at, startedAt }) => at / 1_000 - startedAt > youngSeconds);
  const during = (service: string, first: number) =>
    quantile(
      settled.flatMap((one) => {
        const place = Math.floor((one.at - begunAt) / quarter);
        return one.service === service && place === first ? [one.bytes] : [];
      }),
      0.5,
    );
  const services = [...new Set(memory.map(({ service }) => service))].sort();
  return services.map((service) => ({ service, before: during(service, 1), after: during(service, 3) }));
}

/** What is wrong with errors and memory, in sentences. */
export function judge(soaked: Soaked): string[] {
  const failed = outsideOf(soaked.asked, soaked.faults).filter(({ failure }) => failure !== undefined);
  const errors = [...Map.groupBy(failed, ({ what, failure }) => `${what}: ${failure}`)].map(
    ([name, of]) => `${of.length} requests failed outside of all faults, ${name}`,
  );
  if (soaked.minutes < shortestMinutes) return errors;
  const grown = memoryOf(soaked).flatMap(({ service, before, after }) =>
    after > before * growth.share + growth.bytes
      ? [`${service} has grown from ${megabytes(before)} to ${megabytes(after)}`]
      : [],
  );
  return [...errors, ...grown];
}

/** The report of a soak, in Markdown. */
export function reportOf(soaked: Soaked): string {
  const { seed, begunAt, minutes, most, rate, faults, asked, created, acknowledged, wrong } = soaked;
  const outside = outsideOf(asked, faults);
  const during = asked.filter((one) => !outside.includes(one));
  const failures = (of: readonly Asked[]) => of.filter(({ failure }) => failure !== undefined).length;
  const [first] = cpus();
  return [
    `# Soak of ${new Date(begunAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    '',
    wrong.length === 0 ? '**Nothing was wrong.**' : `**${wrong.length} things were wrong:**`,
    ...wrong.map((line) => `- ${line}`),
    '',
    `${minutes} minutes on ${cpus().length} cores (${first?.model.trim()}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}, with PostgreSQL,`,
    `NATS, all services, the brokers and the clients on this one machine; seed ${seed}.`,
    '',
    `- Load: ${rate.toFixed(0)} requests a second, half of the ${most.toFixed(0)} that could be answered before the first fault; ${asked.length} in all.`,
    `- Beside it ${created} deployments were created, and others deleted; ${acknowledged} changes were acknowledged, each of which was looked for in the audit log.`,
    `- Outside of the faults: ${outside.length} requests, ${failures(outside)} failed, median ${percentile(outside, 0.5)} ms, 99th percentile ${percentile(outside, 0.99)} ms.`,
    `- During them: ${during.length} requests, ${failures(during)} failed.`,
    '',
    '| at | fault | ready again after | requests that failed |',
    '| --- | --- | --- | --- |',
    ...faults.map((fault) => {
      const touched = asked.filter(({ begunAt: from, endedAt }) => from <= fault.to && endedAt >= fault.from);
      const seconds = ((fault.to - fault.from) / 1_000).toFixed(1);
      return `| ${minuteOf(fault.from - begunAt)} | ${fault.name} | ${seconds} s | ${failures(touched)} of ${touched.length} |`;
    }),
    '',
    '| memory of | second quarter | last quarter |',
    '| --- | --- | --- |',
    ...memoryOf(soaked).map(
      ({ service, before, after }) => `| ${service} | ${megabytes(before)} | ${megabytes(after)} |`,
    ),
    '',
    'Medians of the resident memory of processes that had run for a minute. A fault lasts until all services have been ready for two seconds.',
    '',
  ].join('\n');
}

const megabytes = (bytes: number) => (Number.isFinite(bytes) ? `${(bytes / megabyte).toFixed(0)} MiB` : '–');
const minuteOf = (milliseconds: number) =>
  `${Math.floor(milliseconds / 60_000)}:${String(Math.floor(milliseconds / 1_000) % 60).padStart(2, '0')}`;
const percentile = (asked: readonly Asked[], share: number) =>
  quantile(
    asked.map(({ begunAt, endedAt }) => endedAt - begunAt),
    share,
  );
