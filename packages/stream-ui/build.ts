import { buildWebApp, type BuildOptions } from '@sluice/ui/vite/build.ts';

/**
 * Builds the page that nodes serve, unless there is a build of these sources.
 * @returns the folder that is to be served
 */
export const buildStreamPage = (options?: BuildOptions): Promise<string> =>
  buildWebApp({ root: import.meta.dirname, packages: ['client'] }, options);

if (import.meta.main) process.stdout.write(`${await buildStreamPage()}\n`);
