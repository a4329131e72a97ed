import { readdir } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { uptime } from 'node:os';
import { readIfPresent } from '@sluice/system';
import { z } from 'zod';
import { byShare, checksOf, critical, detail, ok, unknown, warning, type ExaminedNode } from '../check.ts';
import { bytes, counted, duration, percent } from '../figures.ts';
import { numbersOf, systemFile } from '../system-files.ts';

function pidOf({ broker }: ExaminedNode): number {
  if (broker.pid === null) throw new Error('no broker runs');
  return broker.pid;
}

/** Soft limits of a process, by the name that the kernel has for them; Infinity for none. */
async function limitsOf(pid: number): Promise<Map<string, number>> {
  const rows = (await systemFile(`/proc/${pid}/limits`)).split('\n').slice(1);
  const values = rows.map((row) => /^(.{25})\s*(\S+)/.exec(row));
  return new Map(
    values.flatMap((found) =>
      found ? [[(found[1] ?? '').trim(), found[2] === 'unlimited' ? Infinity : Number(found[2])]] : [],
    ),
  );
}

/** The reason of an end as a sentence, without the stamps of a log line. */
function sentence(text: string): string {
  const words = text.replace(/\[\d+\] [\d/-]+[ T][\d:.]+Z? /, '');
  if (words === '') return '';
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith('.') ? '' : '.'}`;
}

async function ageOf(pid: number): Promise<number> {
  const text = await systemFile(`/proc/${pid}/stat`);
  // in hundredths of a second after the start of the machine, on every Linux that Node runs on
  const began = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[19]) / 100;
  return Math.max(0, uptime() - began);
}

const pidFileSchema = z.object({ configuration: z.object({ digest: z.string() }).nullable() });

export const brokerChecks = checksOf('Broker', {
  broker_descriptors: {
    title: 'File descriptors',
    meaning:
      'Each connection and each open file takes one. At the limit the broker takes no more clients and cannot open its files.',
    action:
      'Raise the limit of open files for the agent (LimitNOFILE, ulimit -n) and restart the broker; see whether clients leave connections open.',
    limits: { much: 0.8, most: 0.95 },
    async run(node) {
      const pid = pidOf(node);
      const most = (await limitsOf(pid)).get('Max open files') ?? Infinity;
      const now = (await readdir(`/proc/${pid}/fd`)).length;
      const finding = `${now} of ${Number.isFinite(most) ? most : 'any number of'} are in use.`;
      if (now >= most - 2) return critical(`The broker's file descriptors are exhausted: ${finding}`);
      return byShare(now / most, finding);
    },
  },
  broker_running: {
    title: 'Broker',
    meaning: 'Without a broker no client can publish or read.',
    async run({ broker, wanted }) {
      const { status, reason, version } = broker.report;
      const details = [detail('status', status), detail('version', version ?? 'unknown')];
      if (wanted.broker.state === 'stopped') {
        return status === 'stopped'
          ? ok('The broker is stopped, as desired.', details)
          : warning('The broker is to be stopped and still runs.', 'Look again in a minute.', details);
      }
      const why = sentence(reason ?? broker.lastFailure);
      // what has failed before, and has run for a while since, is over
      const isOver = status === 'running' && broker.pid !== null && (await ageOf(broker.pid)) >= 60;
      if (broker.failures >= 3 && !isOver) {
        const finding = `The broker is in a crash loop: it has failed ${broker.failures} times in a row. ${why}`;
        return critical(
          finding.slice(0, 590),
          'What it said last is the reason, also in its log below. Undo what was changed last: a configuration, a full or damaged volume, a limit.',
          [...details, detail('failures in a row', broker.failures)],
        );
      }
      if (status === 'failed')
        return critical(
          `The broker does not work. ${why}`.slice(0, 590),
          'See the reason, and its log below; a restart helps where it hangs.',
          details,
        );
      if (status !== 'running')
        return warning(`The broker is ${status}. ${why}`.slice(0, 590), 'Look again in a minute.', details);
      if (broker.failures > 0 && !isOver) {
        const finding = `The broker runs, and has failed ${counted(broker.failures, 'time')} a moment ago. ${why}`;
        return warning(finding.slice(0, 590), 'The reason stands here and in its log below.', details);
      }
      return ok('The broker runs and answers.', details);
    },
  },
  broker_configuration: {
    title: 'Configuration in force',
    meaning: 'Whether the broker goes by its configuration, and the file on disk is the same.',
    async run({ home, broker, wanted }) {
      const details = [
        detail('configuration', wanted.broker.config?.name ?? 'that of the tier'),
        detail('version', wanted.broker.config?.version ?? '-'),
      ];
      if (broker.report.reason?.startsWith('the configuration is refused') === true)
        return critical(
          `${sentence(broker.report.reason).slice(0, 500)}`,
          'Change the configuration, or activate an earlier version and have it taken up.',
          details,
        );
      const text = await readIfPresent(join(home, 'broker.conf'));
      const record = await readIfPresent(join(home, 'broker.pid'));
      if (text === null) return unknown('There is no configuration on the disk yet.');
      if (record === null) return unknown('No broker runs that could go by it.');
      const { digest } = pidFileSchema.parse(JSON.parse(record)).configuration ?? {};
      return digest === createHash('sha256').update(text).digest('hex')
        ? ok('The broker goes by the configuration on the disk.', details)
        : warning(
            'The configuration on the disk is not the one that the broker has taken up.',
            'Have the broker reconfigured. If the file was not changed by hand, its last configuration was refused.',
            details,
          );
    },
  },
  broker_age: {
    title: 'Start of the broker',
    meaning: 'A broker that has started a moment ago has cut its clients before.',
    async run(node) {
      const seconds = await ageOf(pidOf(node));
      return seconds < 60
        ? warning(
            `The broker has run for ${duration(seconds)} only.`,
            'If it was not restarted on purpose, its log below says why it ended before.',
          )
        : ok(`The broker has run for ${duration(seconds)}.`);
    },
  },
  broker_memory: {
    title: 'Memory of the broker',
    meaning: 'A broker that grows beyond what its tier has is slow, and may be ended.',
    action: 'Lower what it may keep in memory, or take a larger tier.',
    limits: { much: 0.7, most: 0.9 },
    async run(node) {
      const values = numbersOf(await systemFile(`/proc/${pidOf(node)}/status`));
      const rss = (values.get('VmRSS') ?? 0) * 1_024;
      const swapped = (values.get('VmSwap') ?? 0) * 1_024;
      const total = (numbersOf(await systemFile('/proc/meminfo')).get('MemTotal') ?? 0) * 1_024;
      const details = [
        detail('at most, so far', bytes((values.get('VmHWM') ?? 0) * 1_024)),
        detail('swapped', bytes(swapped)),
      ];
      const finding = `The broker has ${bytes(rss)} of memory, ${percent(rss / Math.max(1, total))} of the machine's.`;
      return byShare(rss / Math.max(1, total), finding, details);
    },
  },
  broker_limits: {
    title: 'Limits of the process',
    meaning: 'What the system allows the broker: too few open files limit the clients that can connect.',
    async run(node) {
      const limits = await limitsOf(pidOf(node));
      const shown = ['Max open files', 'Max processes', 'Max address space', 'Max core file size'];
      const details = shown.map((name) => detail(name, String(limits.get(name) ?? 'unknown')));
      const files = limits.get('Max open files') ?? Infinity;
      return files < 1_024
        ? warning(
            `The broker may open ${files} files.`,
            'Raise the limit of open files to 65536 or more.',
            details,
          )
        : ok('The limits are wide enough.', details);
    },
  },
});
