import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { byShare, checksOf, critical, detail, ok, warning } from '../check.ts';
import { bytes, counted, duration } from '../figures.ts';

export const agentChecks = checksOf('Agent', {
  revision: {
    title: 'State in force',
    meaning:
      'Rules, logins and configurations that were changed hold once the node has applied the state that has them.',
    run({ appliedRevision, wanted }) {
      const details = [detail('wanted', wanted.revision), detail('applied', appliedRevision ?? 'none')];
      if (appliedRevision === null)
        return critical(
          'The node has applied no state yet.',
          "See the agent's log for what keeps it.",
          details,
        );
      // the state that tells of this examination is about to be applied
      return appliedRevision < wanted.revision
        ? ok('The node is applying the newest state.', details)
        : ok('The node is in the newest state.', details);
    },
  },
  agent: {
    title: 'Agent',
    meaning: 'The agent keeps the broker as the region wants it. Clients are served without it, too.',
    run: ({ version }) =>
      ok(`The agent ${version} has run for ${duration(process.uptime())}.`, [
        detail('memory', bytes(process.memoryUsage.rss())),
        detail('process', process.pid),
      ]),
  },
  agent_delay: {
    title: 'Delay of the agent',
    meaning: 'An agent that gets no processor reacts late to what happens on the node.',
    action: 'See which programs take the processors.',
    limits: { much: 0.3, most: Infinity },
    async run() {
      const begun = performance.now();
      for (let round = 0; round < 5; round++) await sleep(10);
      const seconds = Math.max(0, (performance.now() - begun - 50) / 5_000);
      const finding = `What is to be done now is done ${duration(seconds)} later.`;
      return byShare(seconds, finding);
    },
  },
  agent_descriptors: {
    title: 'File descriptors of the agent',
    meaning: 'Without free descriptors the agent cannot look after the node.',
    action: 'Raise the limit of open files for the agent.',
    limits: { much: 0.8, most: 0.95 },
    async run() {
      const [, most = ''] =
        /^Max open files\s+(\S+)/m.exec(await readFile('/proc/self/limits', 'utf8')) ?? [];
      const now = (await readdir('/proc/self/fd')).length;
      const limit = most === 'unlimited' ? Infinity : Number(most);
      return byShare(now / limit, `${now} of ${most} are in use.`);
    },
  },
  telemetry_spool: {
    title: 'Telemetry that waits',
    meaning:
      'What was measured and logged waits on the disk while the region is away; from 16 MiB on the oldest goes.',
    async run({ home }) {
      const folder = join(home, 'telemetry');
      const names = (await readdir(folder).catch(() => []))
        .filter((name) => name.endsWith('.json'))
        .slice(0, 6_000);
      const files = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)));
      const size = files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
      const oldest = Math.min(Infinity, ...files.map((file) => file?.mtimeMs ?? Infinity));
      const seconds = Number.isFinite(oldest) ? (Date.now() - oldest) / 1_000 : 0;
      const details = [detail('size', bytes(size)), detail('oldest', duration(Math.max(0, seconds)))];
      const finding = `${counted(names.length, 'batch').replace('batchs', 'batches')} to be sent.`;
      return seconds > 600
        ? warning(
            finding,
            'See whether the region takes in telemetry, and whether the node reaches it.',
            details,
          )
        : ok(finding, details);
    },
  },
  tasks: {
    title: 'Tasks',
    meaning: 'What the node has been asked to do and has not done yet.',
    run({ wanted: { tasks: open = [] }, clockOffset }) {
      const now = Date.now() + clockOffset;
      const late = open.filter(({ deadline }) => Date.parse(deadline) < now);
      const details = open
        .slice(0, 10)
        .map(({ id, runtime, action }) => detail(`task ${id}`, `${runtime} ${action}`));
      if (late.length > 0)
        return warning(
          `${counted(late.length, 'task')} past the deadline.`,
          "See the agent's log for what keeps them.",
          details,
        );
      return ok(
        open.length === 0 ? 'There is none.' : `${counted(open.length, 'task')} being done.`,
        details,
      );
    },
  },
});
