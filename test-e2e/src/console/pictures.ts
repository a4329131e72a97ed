import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { addColleague, addSession, StackDatabases, startStack } from '@sluice/testing';
import { launchBrowser } from '@sluice/testing/browser';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { say } from '../long-run.ts';
import { fillOrganization } from './picture-data.ts';

/**
 * Pictures of every page of the console, in both themes, of a desktop and of a phone, on a stack of its own with an organization that has
 * been used for a while; or with `guide` the small ones of the guide alone.
 *
 * npm run console:pictures -- <folder> [guide]
 */
const [given = 'console-pictures', only] = process.argv.slice(2);
const folder = resolve(process.env['INIT_CWD'] ?? '', given);
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const;
const tabs = [
  ...['', 'connect', 'streams', 'metrics', 'logs', 'access', 'network', 'configuration', 'connectors'],
  ...['backups', 'diagnostics', 'activity', 'audit', 'settings'],
];
const pages = [
  ...['', 'deployments', 'deployments/new', 'people', 'people/invitations', 'people/join-requests'],
  ...['roles', 'roles/who-can', 'api-keys', 'notifications', 'audit', 'audit/verification', 'audit/sink'],
  ...['billing', 'billing/budgets', 'billing/invoices', 'billing/invoices/9000', 'billing/payment'],
  ...['organization', 'organization/domain', 'organization/cloud-accounts', 'organization/plan'],
];

/** The pictures of the guide, by their names. */
const guide = {
  'sign-in': 'sign-in',
  overview: 't/{tenant}',
  create: 't/{tenant}/deployments/new',
  connect: '{deployment}/connect',
  people: 't/{tenant}/people',
  roles: 't/{tenant}/roles',
  streams: '{deployment}/streams?stream=orders',
  configuration: '{deployment}/configuration',
  budgets: 't/{tenant}/billing/budgets',
  invoice: 't/{tenant}/billing/invoices/9000',
  audit: 't/{tenant}/audit',
};

await mkdir(folder, { recursive: true });
const stack = await startStack();
const databases = new StackDatabases(stack);
const browser = await launchBrowser();
try {
  const { console_url: url, tenant_id } = stack;
  if (url === undefined) throw new Error('The stack has no console.');
  const created = await fillOrganization(stack, databases);
  const query = <Row extends object>(text: string, values?: unknown[]) =>
    databases.query<Row>('main_api', text, values);
  const token = await addSession(query, tenant_id, await addColleague(query, tenant_id));

  const deployment = `t/${tenant_id}/d/${stack.division_id}/${created.environmentId}/${created.deploymentId}`;
  const context = async (options: BrowserContextOptions) => {
    const opened = await browser.newContext({ ...options, reducedMotion: 'reduce' });
    await opened.addCookies([{ name: 'sluice', value: token, url, httpOnly: true, sameSite: 'Lax' }]);
    return await opened.newPage();
  };
  const open = async (page: Page, path: string) => {
    await page.goto(new URL(path, url).href);
    await page.getByRole('heading').first().waitFor();
    await page.locator('[aria-label=Loading]').first().waitFor({ state: 'detached' });
    // for charts and fonts to be drawn
    await page.waitForTimeout(500);
  };
  if (only === 'guide') {
    const viewport = { width: 1_000, height: 640 };
    const page = await context({ colorScheme: 'light', viewport, deviceScaleFactor: 0.8 });
    const session = await page.context().newCDPSession(page);
    for (const [name, path] of Object.entries(guide)) {
      await open(page, path.replace('{tenant}', String(tenant_id)).replace('{deployment}', deployment));
      // the chart of the lag is below the table
      if (name === 'streams') await page.locator('figure').first().scrollIntoViewIfNeeded();
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
      await writeFile(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
    }
  } else {
    const paths = [
      ...['status', 'sign-in', 'account'].map((path) => [path, path] as const),
      ...pages.map((page) => [page === '' ? 'overview' : page, `t/${tenant_id}/${page}`] as const),
      ...tabs.map((tab) => [`deployment/${tab}`, `${deployment}/${tab}`] as const),
      ['deployment/consumers', `${deployment}/streams?stream=orders`] as const,
      ['deployment/connector', `${deployment}/configuration?kind=connector:source:a-source`] as const,
    ];
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [size, viewport] of Object.entries(sizes)) {
        const page = await context({ colorScheme, viewport });
        for (const [name, path] of paths) {
          await open(page, path);
          const file = `${name.replaceAll('/', '-').replace(/-$/, '')}-${colorScheme}-${size}.png`;
          await page.screenshot({ path: join(folder, file) });
        }
        await page.context().close();
        say(`${paths.length} pages, ${colorScheme}, ${size}`);
      }
  }
} finally {
  await browser.close();
  await databases.close();
  await stack.remove();
}
