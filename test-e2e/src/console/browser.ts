import {
  addColleague,
  addSession,
  anyStack,
  isStackGiven,
  type Stack,
  StackDatabases,
} from '@sluice/testing';
import { accessibilityFaults } from '@sluice/testing/accessibility';
import { hasChromium, launchBrowser } from '@sluice/testing/browser';
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';

/** Whether there is a browser, and a stack whose database takes sessions. */
export const hasBrowser = hasChromium && !isStackGiven;

/** A test that is skipped without a browser; once it is said how to get one. `test` is looked up in each call, as each file has its own. */
export function browserTest(name: string, run: () => Promise<void>, timeoutMs?: number): void {
  (hasBrowser ? test : test.skip)(name, run, timeoutMs);
}

if (!hasChromium)
  process.stderr.write(
    'Tests in a browser are skipped: no Chromium. On Debian: apt-get install chromium. Elsewhere set SLUICE_CHROMIUM.\n',
  );

export interface Opened {
  page: Page;
  context: BrowserContext;
  /** what the page and its policy have complained about so far */
  complaints: string[];
}

/** A browser in front of the console of the run's stack, with a tenant of one's own and a person in it who is an admin. */
export class ConsoleInBrowser {
  readonly stack: Stack;
  readonly url: string;
  readonly #token: string;
  readonly #browser: Browser;

  private constructor(stack: Stack, token: string, browser: Browser) {
    if (stack.console_url === undefined) throw new Error('The stack has no console.');
    this.stack = stack;
    this.url = stack.console_url;
    this.#token = token;
    this.#browser = browser;
  }

  static async start(given: Promise<Stack> = anyStack()): Promise<ConsoleInBrowser> {
    const stack = await given;
    const databases = new StackDatabases(stack);
    const query = <Row extends object>(text: string, values?: unknown[]) =>
      databases.query<Row>('main_api', text, values);
    const token = await addSession(query, stack.tenant_id, await addColleague(query, stack.tenant_id));
    await databases.close();
    return new ConsoleInBrowser(stack, token, await launchBrowser());
  }

  /** A tab of a person who is signed in, whose errors are collected: a test expects none. */
  async open(path: string, options: BrowserContextOptions = {}): Promise<Opened> {
    return await this.#open(path, options, this.#token);
  }

  /** A tab of a person who is not signed in. */
  async openAsStranger(path: string, options: BrowserContextOptions = {}): Promise<Opened> {
    return await this.#open(path, options);
  }

  async #open(path: string, options: BrowserContextOptions, token?: string): Promise<Opened> {
    const context = await this.#browser.newContext(options);
    if (token !== undefined)
      await context.addCookies([
        { name: 'sluice', value: token, url: this.url, httpOnly: true, sameSite: 'Lax' },
      ]);
    return await openTab(context, new URL(path, this.url).href);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.stack.remove();
  }
}

/** A tab whose errors are collected. */
export async function openTab(context: BrowserContext, url: string): Promise<Opened> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  await page.goto(url);
  return { page, context, complaints };
}

/** What axe finds wrong on a page, in both themes. */
export async function violationsOf(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const faults = await accessibilityFaults(page);
    found.push(...faults.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`));
  }
  return found;
}

/** What is wrong with a page once it has loaded: what axe finds, and how far it is wider than its window. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.locator('[aria-label=Loading]').first().waitFor({ state: 'detached' });
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  const found = await violationsOf(page);
  return overflow > 0 ? [`wider than its window by ${overflow} px`, ...found] : found;
}
