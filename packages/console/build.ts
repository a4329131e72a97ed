import { buildWebApp, type BuildOptions } from '@sluice/ui/vite/build.ts';

/**
 * Builds the console, unless there is a build of these sources.
 * @returns the folder that is to be served
 */
export const buildConsole = (options?: BuildOptions): Promise<string> =>
  buildWebApp(
    {
      root: import.meta.dirname,
      packages: ['client', 'console-core', 'console-deployment', 'contracts', 'stream-ui'],
    },
    options,
  );

if (import.meta.main) process.stdout.write(`${await buildConsole()}\n`);
