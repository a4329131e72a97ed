import { buildConsole } from '@sluice/console/build';
import { CannotStart } from '@sluice/embedded';

/**
 * The folder of the web app's files, built unless that is done already; `CONSOLE_FILES` names another one.
 * @throws CannotStart with what the build has said
 */
export async function webAppFolder(say: (line: string) => void): Promise<string> {
  const given = process.env['CONSOLE_FILES'];
  if (given !== undefined) return given;
  try {
    return await buildConsole({ onBuild: () => say('Building the console…') });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new CannotStart(`The console could not be built:\n${`${stdout}${stderr}`.trim() || String(error)}`);
  }
}
