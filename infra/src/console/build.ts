import { buildConsole } from '@sluice/console/build';
import { CannotStart } from '@sluice/embedded';
import { buildStreamPage } from '@sluice/stream-ui/build';

/**
 * The folder of the web app's files, built unless that is done already; `CONSOLE_FILES` names another one.
 * @throws CannotStart with what the build has said
 */
export const webAppFolder = (say: (line: string) => void): Promise<string> =>
  built(process.env['CONSOLE_FILES'], 'console', () =>
    buildConsole({ onBuild: () => say('Building the console…') }),
  );

/**
 * The same of the page that nodes serve, which `STREAM_PAGE_FILES` names.
 * @throws CannotStart with what the build has said
 */
export const streamPageFolder = (): Promise<string> =>
  built(process.env['STREAM_PAGE_FILES'], 'page of streams', () => buildStreamPage());

async function built(given: string | undefined, name: string, build: () => Promise<string>): Promise<string> {
  if (given !== undefined) return given;
  try {
    return await build();
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new CannotStart(`The ${name} could not be built:\n${`${stdout}${stderr}`.trim() || String(error)}`);
  }
}
