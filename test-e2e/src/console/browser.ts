import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** where distributions put Chromium; another one is named by the environment */
const places = [
  process.env.SLUICE_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const executablePath = places.find((path) => path !== undefined && existsSync(path));

/** `test` where there is a browser; else it says once how to get one and skips. */
export const browserTest = executablePath === undefined ? test.skip : test;

if (executablePath === undefined)
  process.stderr.write(
    'Tests in a browser are skipped: no Chromium. On Debian: apt-get install chromium. Elsewhere set SLUICE_CHROMIUM.\n',
  );

/** Starts the browser. None is downloaded. */
export function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('There is no Chromium.');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

export interface Watched {
  page: Page;
  /** what the page and its policy have complained about so far */
  complaints: string[];
}

/** A page of a person who is signed in, whose errors are collected: a test expects none. */
export async function signedInPage(context: BrowserContext, url: string, token: string): Promise<Watched> {
  await context.addCookies([{ name: 'sluice_session', value: token, url, httpOnly: true, sameSite: 'Lax' }]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  return { page, complaints };
}
