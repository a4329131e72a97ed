import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** where distributions put Chromium; another one is named by the environment */
const places = [
  process.env.SLUICE_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const executablePath = places.find((path) => path !== undefined && existsSync(path));

export const hasChromium = executablePath !== undefined;

/** Starts the browser. None is downloaded. @param more arguments */
export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  if (executablePath === undefined)
    throw new Error(
      'There is no Chromium. On Debian: apt-get install chromium. Elsewhere set SLUICE_CHROMIUM.',
    );
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', ...more] });
}
