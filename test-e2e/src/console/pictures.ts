import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { addColleague, addSession, StackDatabases, startStack } from '@sluice/testing';
import { launchBrowser } from '@sluice/testing/browser';
import { say } from '../long-run.ts';
import { fillOrganization } from './picture-data.ts';

/**
 * Pictures of every page of the console, in both themes, of a desktop and of a phone, on a stack of its own with a deployment that has
 * streams.
 *
 * npm run console:pictures -- <folder>
 */
const folder = resolve(process.env['INIT_CWD'] ?? '', process.argv[2] ?? 'console-pictures');
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const;
const tabs = [
  ...['', 'connect', 'streams', 'metrics', 'logs', 'access', 'network', 'configuration', 'connectors'],
  ...['backups', 'diagnostics', 'activity', 'audit', 'settings'],
];
const pages = [
  ...['', 'deployments', 'deployments/new', 'people', 'people/invitations', 'people/join-requests'],
  ...['roles', 'roles/who-can', 'api-keys', 'notifications', 'audit', 'audit/verification', 'audit/sink'],
  ...['billing', 'billing/budgets', 'billing/invoices', 'billing/payment'],
  ...['organization', 'organization/domain', 'organization/cloud-accounts', 'organization/plan'],
];

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
  const paths = [
    ...['status', 'sign-in', 'account'].map((path) => [path, path] as const),
    ...pages.map((page) => [page === '' ? 'overview' : page, `t/${tenant_id}/${page}`] as const),
    ...tabs.map((tab) => [`deployment/${tab}`, `${deployment}/${tab}`] as const),
  ];
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [size, viewport] of Object.entries(sizes)) {
      const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' });
      await context.addCookies([{ name: 'sluice', value: token, url, httpOnly: true, sameSite: 'Lax' }]);
      const page = await context.newPage();
      for (const [name, path] of paths) {
        await page.goto(new URL(path, url).href);
        await page.getByRole('heading').first().waitFor();
        await page.locator('[aria-label=Loading]').first().waitFor({ state: 'detached' });
        // for charts and fonts to be drawn
        await page.waitForTimeout(500);
        const file = `${name.replaceAll('/', '-').replace(/-$/, '')}-${colorScheme}-${size}.png`;
        await page.screenshot({ path: join(folder, file) });
      }
      await context.close();
      say(`${paths.length} pages, ${colorScheme}, ${size}`);
    }
} finally {
  await browser.close();
  await databases.close();
  await stack.remove();
}
