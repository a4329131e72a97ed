import { totalmem } from 'node:os';
import { byShare, checksOf, critical, detail, ok, unknown, warning } from '../check.ts';
import { bytes, percent } from '../figures.ts';
import { controlGroupFile, numbersOf, systemFile } from '../system-files.ts';

export const memoryChecks = checksOf('Memory', {
  memory: {
    title: 'Memory of the machine',
    meaning: 'Without memory the kernel ends programs, often the largest: the broker.',
    action: 'See which program takes the memory; a larger tier, or a larger machine, has more.',
    limits: { much: 0.9, most: 0.97 },
    async run() {
      const values = numbersOf(await systemFile('/proc/meminfo'));
      const [total = 0, free = 0] = [values.get('MemTotal'), values.get('MemAvailable')];
      if (total === 0) return unknown('The system does not tell how much memory there is.');
      const finding = `${bytes(free * 1_024)} of ${bytes(total * 1_024)} can be had.`;
      return byShare(1 - free / total, finding);
    },
  },
  memory_limit: {
    title: 'Memory limit of the node',
    meaning: 'A control group, such as that of a pod, that reaches its limit has one of its programs ended.',
    action: 'Give the node more memory, or lower what the broker may keep in memory.',
    limits: { much: 0.92, most: 0.99 },
    async run() {
      const maximum = await controlGroupFile('memory', { v1: 'memory.limit_in_bytes', v2: 'memory.max' });
      const used = await controlGroupFile('memory', { v1: 'memory.usage_in_bytes', v2: 'memory.current' });
      const [most, now] = [Number(maximum), Number(used)];
      if (!Number.isFinite(most) || most >= totalmem()) return ok('The node has no limit of its own.');
      const finding = `${bytes(now)} of ${bytes(most)} are taken (${percent(now / most)}), caches included.`;
      return byShare(now / most, finding);
    },
  },
  oom_kills: {
    title: 'Programs ended for want of memory',
    meaning: 'The kernel ends a program when there is no memory left; clients of a broker are cut.',
    async run() {
      const text = await controlGroupFile('memory', { v1: 'memory.oom_control', v2: 'memory.events' });
      const own = text === undefined ? undefined : numbersOf(text).get('oom_kill');
      const machine = numbersOf(await systemFile('/proc/vmstat')).get('oom_kill');
      const details = machine === undefined ? [] : [detail('on this machine since it started', machine)];
      const action = 'See in the log of the kernel which program it was, and give the node more memory.';
      if ((own ?? 0) > 0)
        return critical(
          `The kernel has ended ${own} programs of this node for want of memory.`,
          action,
          details,
        );
      if ((machine ?? 0) > 0)
        return warning('The kernel has ended programs of this machine for want of memory.', action, details);
      return ok('No program was ended.', details);
    },
  },
  swap: {
    title: 'Swap',
    meaning: 'What lies on disk in the place of memory makes a broker answer late.',
    action: 'Give the machine more memory, or fewer nodes.',
    limits: { much: 0.5, most: Infinity },
    async run() {
      const values = numbersOf(await systemFile('/proc/meminfo'));
      const total = values.get('SwapTotal') ?? 0;
      if (total === 0) return ok('There is no swap.');
      const used = total - (values.get('SwapFree') ?? 0);
      const finding = `${bytes(used * 1_024)} of ${bytes(total * 1_024)} are in use.`;
      return byShare(used / total, finding);
    },
  },
});
