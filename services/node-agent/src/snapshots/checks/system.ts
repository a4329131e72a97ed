import { readdir } from 'node:fs/promises';
import { arch, machine, release, type as systemType, uptime, version } from 'node:os';
import { byShare, checksOf, critical, detail, ok, unknown, warning } from '../check.ts';
import { duration } from '../figures.ts';
import { controlGroupFile, systemFile, systemFileIfAny } from '../system-files.ts';

export const systemChecks = checksOf('System', {
  clock: {
    title: 'Clock',
    meaning:
      'Certificates, ages of messages and access rules go by the time. The agent goes by the clock of its region; the broker and its log have this one.',
    run({ clockOffset }) {
      const seconds = Math.abs(clockOffset) / 1_000;
      const way = clockOffset > 0 ? 'behind' : 'ahead of';
      const details = [detail('time of the machine', new Date().toISOString())];
      if (seconds < 2) return ok('The clock is that of the region, to within two seconds.', details);
      const finding = `The clock of the machine is ${duration(seconds)} ${way} that of the region.`;
      const action =
        'Have the machine set its clock by NTP (chrony or systemd-timesyncd). Messages with an age limit are deleted too early or too late until then.';
      return seconds >= 30 ? critical(finding, action, details) : warning(finding, action, details);
    },
  },
  kernel: {
    title: 'Kernel',
    meaning: 'What the node runs on, for comparison with others.',
    run: () =>
      ok(`${systemType()} ${release()} on ${machine()}.`, [
        detail('version', version().slice(0, 200)),
        detail('architecture', arch()),
        detail('Node.js', process.version),
      ]),
  },
  uptime: {
    title: 'Start of the machine',
    meaning: 'A machine that has started a moment ago explains why clients were cut.',
    run() {
      const finding = `The machine runs for ${duration(uptime())}.`;
      return uptime() < 600
        ? warning(finding, 'If it was not restarted on purpose, see in the log of the kernel why it started.')
        : ok(finding);
    },
  },
  open_files: {
    title: 'Open files of the machine',
    meaning: 'At its limit no program of the machine can open a file or take a connection.',
    action: 'Raise fs.file-max, or find the program that opens so many.',
    limits: { much: 0.7, most: 0.95 },
    async run() {
      const [open = 0, , most = 0] = (await systemFile('/proc/sys/fs/file-nr'))
        .trim()
        .split(/\s+/)
        .map(Number);
      const finding = `${open} of ${most > 1e12 ? 'as many as memory allows' : most} are open.`;
      return byShare(open / Math.max(1, most), finding);
    },
  },
  processes: {
    title: 'Processes of the node',
    meaning: 'At the limit of its control group no program of the node can start another, or a thread.',
    action: 'Raise the limit of processes, of the pod or of the service that runs the agent.',
    limits: { much: 0.8, most: 0.97 },
    async run() {
      const most = Number(await controlGroupFile('pids', { v1: 'pids.max', v2: 'pids.max' }));
      const now = Number(await controlGroupFile('pids', { v1: 'pids.current', v2: 'pids.current' }));
      if (!Number.isFinite(most) || !Number.isFinite(now)) return ok('The node has no limit of its own.');
      const finding = `${now} of ${most} processes and threads are in use.`;
      return byShare(now / most, finding);
    },
  },
  kernel_settings: {
    title: 'Settings of the kernel',
    meaning:
      'With too short a queue clients that connect together are refused; too few ports limit connectors.',
    async run() {
      const queue = Number(await systemFile('/proc/sys/net/core/somaxconn'));
      const range = await systemFileIfAny('/proc/sys/net/ipv4/ip_local_port_range');
      const maps = await systemFileIfAny('/proc/sys/vm/max_map_count');
      const details = [
        detail('net.core.somaxconn', queue),
        detail('net.ipv4.ip_local_port_range', range?.trim().replace(/\s+/, ' to ') ?? 'unknown'),
        detail('vm.max_map_count', maps?.trim() ?? 'unknown'),
      ];
      if (Number.isNaN(queue)) return unknown('The kernel does not tell its settings.');
      return queue < 512
        ? warning(`${queue} connections can wait to be taken.`, 'Raise net.core.somaxconn to 4096.', details)
        : ok(`${queue} connections can wait to be taken.`, details);
    },
  },
  zombies: {
    title: 'Processes that are not reaped',
    meaning:
      'Ended programs that stay in the table take its room, and show that something does not look after them.',
    async run() {
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).slice(0, 5_000);
      const states = await Promise.all(pids.map((pid) => systemFileIfAny(`/proc/${pid}/stat`)));
      const count = states.filter((text) => /\) Z /.test(text ?? '')).length;
      const finding = `${count} of ${pids.length} processes wait to be reaped.`;
      return count > 50
        ? warning(finding, 'Run the node below an init process, such as tini, that reaps them.')
        : ok(finding);
    },
  },
});
