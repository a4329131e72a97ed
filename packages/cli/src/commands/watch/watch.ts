import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import { createFeed } from './feed.ts';

// the alternate screen, on which nothing of the terminal's history is lost
const enter = '\u001b[?1049h\u001b[H';
const leave = '\u001b[?1049l';
const clear = '\u001b[2J\u001b[H';

interface WatchFlags {
  /** milliseconds */
  interval: number;
}

const leastInterval = 500;

/** Shows the deployments of a place on the whole screen until `q` or Ctrl-C. */
export async function watch(cli: Cli, at: string | undefined, { interval }: WatchFlags): Promise<void> {
  const { io, options, signal } = cli;
  if (!io.isInteractive || io.columns === undefined)
    throw usageError(
      'watch needs a terminal.',
      'sluice deployments list and sluice metrics write data; sluice deployments wait waits for a status',
    );
  if (options.output !== undefined || options.query !== undefined)
    throw usageError('watch writes no data.', 'sluice deployments list takes -o and --query');
  if (options.verbose) throw usageError('--verbose would write over the screen.', 'leave it out');
  if (interval < leastInterval) throw usageError('--interval has to be 500ms at least.');
  // errors of the command line are seen before the screen is taken
  const feed = await createFeed(cli, at, interval);
  const listeners = new Set<() => void>();
  const changed = () => listeners.forEach((listener) => listener());
  const ended = new AbortController();
  let hasQuit = false;
  const stop = AbortSignal.any([signal, ended.signal]);

  const { render, element, Screen } = await loadScreen();
  const resized = () => {
    io.stdout.write(clear);
    changed();
  };
  const restore = () => void io.stdout.write(leave);
  io.stdout.write(enter);
  process.once('exit', restore);
  io.stdout.on('resize', resized);
  const app = render(
    element(Screen, {
      feed,
      size: () => ({ columns: io.stdout.columns || 80, rows: io.stdout.rows || 24 }),
      subscribe: (listener: () => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      quit: () => {
        hasQuit = true;
        ended.abort();
      },
      // as Ctrl-C is everywhere else: the terminal does not make a signal of it now
      interrupt: () => void process.kill(process.pid, 'SIGINT'),
    }),
    { stdin: io.stdin, stdout: io.stdout, stderr: io.stderr, exitOnCtrlC: false, patchConsole: false },
  );
  // an error of the screen itself ends the reading, too
  const shown = app.waitUntilExit().finally(() => ended.abort());
  try {
    await Promise.all([shown, feed.run(changed, stop).finally(() => app.unmount())]);
  } catch (error) {
    if (!hasQuit || signal.aborted) throw error;
  } finally {
    io.stdout.off('resize', resized);
    process.off('exit', restore);
    restore();
  }
}

/** Ink draws nothing where it sees CI, and loads tools of its developers where it sees DEV. React checks a lot while it is developed with. */
async function loadScreen() {
  delete process.env['DEV'];
  process.env['CI'] = 'false';
  process.env['NODE_ENV'] = 'production';
  const [{ render }, { createElement }, { Screen }] = await Promise.all([
    import('ink'),
    import('react'),
    import('./screen.ts'),
  ]);
  return { render, element: createElement, Screen };
}
