import { availableParallelism, loadavg } from 'node:os';
import { byShare, checksOf, detail, ok, unknown, type CheckRow } from '../check.ts';
import { percent } from '../figures.ts';
import { controlGroupFile, numbersOf, systemFile } from '../system-files.ts';

const pressure = (of: 'cpu' | 'memory' | 'io', title: string, limits: CheckRow['limits']): CheckRow => ({
  ...{ title, limits },
  meaning:
    'The kernel counts for how much of the last minute programs had to wait for this and could not go on.',
  action: 'See what else runs on this machine, and whether the tier is large enough for what clients do.',
  async run() {
    const text = await systemFile(`/proc/pressure/${of}`);
    const share = (kind: string) => Number(new RegExp(`^${kind} .*?avg60=([\\d.]+)`, 'm').exec(text)?.[1]);
    const [some, full] = [share('some'), share('full')];
    if (Number.isNaN(some)) return unknown('The kernel does not tell it.');
    const details = Number.isNaN(full) ? [] : [detail('all of them waited', `${full} %`)];
    return byShare(some / 100, `Some programs waited for ${some} % of the last minute.`, details);
  },
});

export const processorChecks = checksOf('Processors', {
  load: {
    title: 'Load',
    meaning: 'More programs that want to run than processors: all of them wait for each other.',
    action: 'See which programs take the processors; a larger tier has more of them.',
    limits: { much: 2, most: 8 },
    run() {
      const [one = 0, five = 0, fifteen = 0] = loadavg();
      const processors = availableParallelism();
      const details = [
        detail('1, 5, 15 min', [one, five, fifteen].map((value) => value.toFixed(2)).join(', ')),
        detail('processors', processors),
      ];
      const finding = `${(five / processors).toFixed(2)} programs for each processor, over five minutes.`;
      return byShare(five / processors, finding, details);
    },
  },
  pressure_cpu: pressure('cpu', 'Pressure on processors', { much: 0.6, most: Infinity }),
  pressure_memory: pressure('memory', 'Pressure on memory', { much: 0.1, most: 0.5 }),
  pressure_io: pressure('io', 'Pressure on disks', { much: 0.4, most: 0.95 }),
  cpu_throttling: {
    title: 'Processor limit of the node',
    meaning:
      'A control group that has used up its share of the processors stands still until the next period.',
    action: 'Give the node a larger share of the processors: a larger tier.',
    limits: { much: 0.1, most: Infinity },
    async run() {
      const text = await controlGroupFile('cpu', { v1: 'cpu.stat', v2: 'cpu.stat' });
      const values = numbersOf(text ?? '');
      const [periods = 0, throttled = 0] = [values.get('nr_periods'), values.get('nr_throttled')];
      if (periods === 0) return ok('The node has no limit of its own.');
      const finding = `In ${percent(throttled / periods)} of the periods the node has stood still.`;
      return byShare(throttled / periods, finding);
    },
  },
});
