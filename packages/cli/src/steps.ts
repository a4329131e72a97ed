import type { Cli } from './cli.ts';
import { visible } from './output/escape.ts';

/** What is waited for, step by step, on stderr: with a running clock on a terminal, a line per finished step without one. */
export interface Steps {
  /** The step that goes on now. The same again changes nothing. */
  now(title: string): void;
  /** The last step has come to its end, well or not. */
  end(result: 'done' | 'failed'): Promise<void>;
}

export function showSteps(cli: Cli): Steps {
  const begin = cli.io.stderr.isTTY && cli.io.env['TERM'] !== 'dumb' ? onTerminal(cli) : asLines(cli);
  let current: { title: string; finish: Finish } | undefined;
  return {
    now(title) {
      const shown = visible(title);
      if (current?.title === shown) return;
      const before = current?.finish('done');
      current = { title: shown, finish: begin(shown, before) };
    },
    async end(result) {
      await current?.finish(result);
      current = undefined;
    },
  };
}

type Finish = (result: 'done' | 'failed') => Promise<void>;
/** Begins a step after the one before it is shown as finished. */
type Begin = (title: string, before: Promise<void> | undefined) => Finish;

const asLines = (cli: Cli): Begin => (title) => {
  const begun = performance.now();
  return async (result) => cli.say(`${title}${result === 'failed' ? ' (failed)' : ''}  ${secondsSince(begun)}`);
};

const secondsSince = (begun: number): string => `${((performance.now() - begun) / 1_000).toFixed(1)} s`;

/** Each step is a list of listr2 with one task, since it is not known beforehand which steps there will be. */
const onTerminal = ({ io }: Cli): Begin => (title, before) => {
  const begun = performance.now();
  let settle: Finish = async () => {};
  const ended = new Promise<void>((resolve, reject) => {
    settle = async (result) => {
      if (result === 'done') resolve();
      else reject(new Error('failed'));
      await shown;
    };
  });
  const shown = Promise.all([import('listr2'), before]).then(async ([{ Listr, ListrLogger, PRESET_TIMER, ProcessOutput }]) => {
    const tasks = new Listr([{ title, task: async (_context, task) => {
      await ended;
      task.title = `${title}  ${secondsSince(begun)}`;
    } }], {
      registerSignalListeners: false,
      exitOnError: false,
      rendererOptions: { logger: new ListrLogger({ processOutput: new ProcessOutput(io.stderr, io.stderr) }), timer: PRESET_TIMER },
    });
    await tasks.run();
  });
  return (result) => settle(result);
};
