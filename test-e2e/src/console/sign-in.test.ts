import type { Page } from 'playwright-core';
import { browserTest, ConsoleInBrowser, hasBrowser, violationsOf } from './browser.ts';

let on: ConsoleInBrowser;

beforeAll(async () => {
  if (hasBrowser) on = await ConsoleInBrowser.start();
}, 240_000);
afterAll(() => on?.close());

/** the browser says of each answer that is no success what its status is */
const beside401 = (complaints: string[]) => complaints.filter((text) => !/status of 401/.test(text));

async function signIn(page: Page, role: string): Promise<void> {
  await page.getByRole('link', { name: 'Continue with this machine' }).click();
  await page.getByRole('button', { name: role }).click();
}

browserTest(
  'a person signs in by one click, comes to the page that they wanted, and signs out',
  async () => {
    const { page, complaints, context } = await on.openAsStranger('/organizations?sort=name');
    await page.waitForURL(/\/sign-in\?return_to=/);
    await page.getByRole('link', { name: 'Continue with this machine' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await signIn(page, 'owner');
    await page.waitForURL(/\/organizations/);
    await page.goto(on.url);
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`${on.url}/account`);
    await page.waitForURL(/\/sign-in\?return_to=/);
    expect(beside401(complaints)).toEqual([]);
    await context.close();
  },
  60_000,
);

browserTest('a sign-in that did not work says why', async () => {
  const { page, context } = await on.openAsStranger('/sign-in/callback?state=none&error=access_denied');
  await page.getByText('The identity provider did not confirm who you are').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await context.close();
});

browserTest('nobody signs up whom no provider has confirmed', async () => {
  const { page, context } = await on.openAsStranger('/sign-up?return_to=/account/invitations');
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada Lovelace');
  await page.getByText('Invitations to your address come next').waitFor();
  await page.getByText('Found an organization').click();
  await page.getByRole('textbox', { name: 'Name of the organization' }).fill('Acme');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create my account' }).click();
  await page.getByRole('alert').getByText('unauthenticated').waitFor();
  await context.close();
});

browserTest('a terminal is approved on the page that its link leads to', async () => {
  const { main } = on.stack;
  const { body: codes } = await main.post('/account/device', { machine: 'adas-laptop' });
  const link = String(codes['verification_uri_complete']);
  expect(link.startsWith(`${on.url}/account/device?user_code=`)).toBe(true);
  const { page, complaints, context } = await on.open(link);
  await page.getByText('adas-laptop').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('adas-laptop is signed in').waitFor();
  const { status } = await main.post('/account/device/token', { device_code: codes['device_code'] });
  expect(status).toBe(200);
  expect(complaints).toEqual([]);
  await context.close();
});

browserTest('code that does not come is named, and a tab that is never drawn shows its page', async () => {
  const { page, context } = await on.openAsStranger('/healthz');
  await page.route('**/assets/app-*.js', (route) => route.abort());
  await page.goto(`${on.url}/sign-in`);
  await page.getByText('The console could not be loaded.').waitFor();
  await page.unroute('**/assets/app-*.js');
  await page.addInitScript('requestAnimationFrame = () => 0');
  await page.goto(`${on.url}/sign-in`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await context.close();
});
