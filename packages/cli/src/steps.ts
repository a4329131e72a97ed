import type { Cli } from './cli.ts';
import { visible } from '@sluice/terminal/escape';

/** What is waited for, step by step, on stderr: with a spinner on a terminal, a line per finished step without one. */
export interface Steps {
  /** The step that goes on now. The same again changes nothing. */
  now(title: string): void;
  /** What was waited for is there, or is not: the last step ends. */
  end(result: Result): Promise<void>;
}

type Result = 'done' | 'failed';
/** Ends the step that is shown, with what there is to say of it. */
type Finish = (result: Result, text: string) => Promise<void>;
/** Begins a step after the one before it is shown as finished. */
type Begin = (title: string, before: Promise<void> | undefined) => Finish;

export function showSteps(cli: Cli): Steps {
  const begin = cli.io.stderr.isTTY && cli.io.env['TERM'] !== 'dumb' ? onTerminal(cli) : asLines(cli);
  const begun = performance.now();
  let current: { title: string; begun: number; finish: Finish } | undefined;
  return {
    now(title) {
      const shown = visible(title);
      if (current?.title === shown) return;
      const before = current?.finish('done', `${current.title}  ${secondsSince(current.begun)}`);
      current = { title: shown, begun: performance.now(), finish: begin(shown, before) };
    },
    async end(result) {
      const { title = '' } = current ?? {};
      const outcome =
        result === 'done' ? `after ${secondsSince(begun)}` : `unfinished after ${secondsSince(begun)}`;
      await current?.finish(result, `${title}  ${outcome}`);
      current = undefined;
    },
  };
}

const secondsSince = (begun: number): string => `${((performance.now() - begun) / 1_000).toFixed(1)} s`;

const asLines =
  (cli: Cli): Begin =>
  () =>
  async (_result, text) =>
    cli.say(text);

/** Each step is a list of listr2 with one task, since it is not known beforehand which steps there will be. */
const onTerminal =
  ({ io }: Cli): Begin =>
  (title, before) => {
    let settle: (result: Result, text: string) => void = () => {};
    const ended = new Promise<{ result: Result; text: string }>((resolve) => {
      settle = (result, text) => resolve({ result, text });
    });
    const shown = Promise.all([import('listr2'), before]).then(
      async ([{ Listr, ListrLogger, ProcessOutput }]) => {
        const logger = new ListrLogger({ processOutput: new ProcessOutput(io.stderr, io.stderr) });
        const list = new Listr(
          {
            title,
            task: async (_context, task) => {
              const { result, text } = await ended;
              task.title = text;
              if (result === 'failed') throw new Error(text);
            },
          },
          { registerSignalListeners: false, exitOnError: false, rendererOptions: { logger } },
        );
        await list.run();
      },
    );
    return async (result, text) => {
      settle(result, text);
      await shown;
    };
  };
