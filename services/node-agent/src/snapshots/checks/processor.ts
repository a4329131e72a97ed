import { availableParallelism, loadavg } from 'node:os';
import { byShare, detail, ok, unknown, type Check } from '../check.ts';
import { percent } from '../figures.ts';
import { controlGroupFile, numbersOf, systemFile } from '../system-files.ts';

const group = 'Processors';

const load: Check = {
  ...{ id: 'load', group, title: 'Load' },
  meaning: 'More programs that want to run than processors: all of them wait for each other.',
  run() {
    const [one = 0, five = 0, fifteen = 0] = loadavg();
    const processors = availableParallelism();
    const details = [
      detail('1, 5, 15 min', [one, five, fifteen].map((value) => value.toFixed(2)).join(', ')),
      detail('processors', processors),
    ];
    const finding = `${(five / processors).toFixed(2)} programs for each processor, over five minutes.`;
    const action = 'See which programs take the processors; a larger tier has more of them.';
    return byShare(five / processors, { much: 2, most: 8 }, { finding, action, details });
  },
};

/** The share of time in which some, or all, programs had to wait. */
function pressure(of: 'cpu' | 'memory' | 'io', title: string, limits: { much: number; most: number }): Check {
  return {
    ...{ id: `pressure_${of}`, group, title },
    meaning:
      'The kernel counts for how much of the last minute programs had to wait for this and could not go on.',
    async run() {
      const text = await systemFile(`/proc/pressure/${of}`);
      const share = (kind: string) => Number(new RegExp(`^${kind} .*?avg60=([\\d.]+)`, 'm').exec(text)?.[1]);
      const [some, full] = [share('some'), share('full')];
      if (Number.isNaN(some)) return unknown('The kernel does not tell it.');
      const details = Number.isNaN(full) ? [] : [detail('all of them waited', `${full} %`)];
      const finding = `Some programs waited for ${some} % of the last minute.`;
      const action =
        'See what else runs on this machine, and whether the tier is large enough for what clients do.';
      return byShare(some / 100, limits, { finding, action, details });
    },
  };
}

const throttling: Check = {
  ...{ id: 'cpu_throttling', group, title: 'Processor limit of the node' },
  meaning: 'A control group that has used up its share of the processors stands still until the next period.',
  async run() {
    const text = await controlGroupFile('cpu', { v1: 'cpu.stat', v2: 'cpu.stat' });
    const told = numbersOf(text ?? '');
    const [periods = 0, throttled = 0] = [told.get('nr_periods'), told.get('nr_throttled')];
    if (periods === 0) return ok('The node has no limit of its own.');
    const finding = `In ${percent(throttled / periods)} of the periods the node has stood still.`;
    const action = 'Give the node a larger share of the processors: a larger tier.';
    return byShare(throttled / periods, { much: 0.1, most: Infinity }, { finding, action });
  },
};

export const processorChecks: readonly Check[] = [
  load,
  pressure('cpu', 'Pressure on processors', { much: 0.6, most: Infinity }),
  pressure('memory', 'Pressure on memory', { much: 0.1, most: 0.5 }),
  pressure('io', 'Pressure on disks', { much: 0.4, most: 0.95 }),
  throttling,
];
