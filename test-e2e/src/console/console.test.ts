import type { BrowserContextOptions } from 'playwright-core';
import { actions } from '@sluice/console-core/api/actions.ts';
import { anyStack, type Stack } from '@sluice/testing';
import { operationsAt } from '../documents.ts';
import { createManaged, untilInitialized } from '../story.ts';
import { browserTest, ConsoleInBrowser, faultsOf, hasBrowser, violationsOf } from './browser.ts';
import { testDeploymentPages, testStart, type First } from './deployment-pages.ts';
import { testPeoplePages } from './people-pages.ts';

let stack: Stack;
let consoleInBrowser: ConsoleInBrowser | undefined;

beforeAll(async () => {
  if (hasBrowser) consoleInBrowser = await ConsoleInBrowser.start();
  stack = consoleInBrowser?.stack ?? (await anyStack());
}, 240_000);
afterAll(() => consoleInBrowser?.close());

const shared = {
  stack: () => stack,
  open: (path: string, options?: BrowserContextOptions) => consoleInBrowser!.open(path, options),
};
const first: First = {};

testStart(shared, first);

browserTest(
  'the list of deployments shows what is created while it is open, and is accessible in both themes',
  async () => {
    const { page, complaints, context } = await consoleInBrowser!.open(`/t/${stack.tenant_id}/deployments`);
    await page.getByRole('row', { name: /Running/ }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();

    const created = await createManaged(stack, first.created!.environmentId, 'telemetry');
    await page.getByRole('row', { name: /telemetry/ }).waitFor();
    await untilInitialized(stack, created);
    await page.getByRole('row', { name: /telemetry.*Running/ }).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await page.keyboard.press('j');
    expect(await page.locator('tr:focus').count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('nothing-has-this-name');
    await page.getByRole('heading', { name: 'No deployment fits' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('nothing-has-this-name');
    expect(complaints).toEqual([]);
    await context.close();
  },
  120_000,
);

browserTest('the overview has what there is, at the width of a phone as well', async () => {
  const { page, complaints, context } = await consoleInBrowser!.open('/', {
    viewport: { width: 360, height: 740 },
  });
  await page.getByText('All deployments are healthy').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

testDeploymentPages(shared, first);
testPeoplePages(shared);

browserTest('a menu of the frame opens by each of its keys, and gives the focus back', async () => {
  const { page, complaints, context } = await consoleInBrowser!.open(`/t/${stack.tenant_id}`);
  const button = page.getByRole('button', { name: /^Account/ });
  const focused = page.locator(':focus');
  for (const [key, item] of [
    ['ArrowUp', 'Sign out'],
    ['ArrowDown', 'Your account'],
    ['Enter', 'Your account'],
    ['Space', 'Your account'],
  ] as const) {
    await button.focus();
    await page.keyboard.press(key);
    const menu = page.getByRole('menu', { name: /^Account/ });
    await menu.waitFor();
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await menu.getByRole('menuitem', { name: item }).and(focused).waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await button.and(focused).waitFor();
  }
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/account$/);
  expect(complaints).toEqual([]);
  await context.close();
});

browserTest('the palette finds pages, people and actions by the keyboard alone', async () => {
  const { page, complaints, context } = await consoleInBrowser!.open(`/t/${stack.tenant_id}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const find = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/^Find a page/).waitFor();
    await page.keyboard.type(text);
    await page.getByRole('option').first().waitFor();
  };
  const take = async () => {
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  };
  await find('Deployments');
  expect(await violationsOf(page)).toEqual([]);
  await take();
  await page.waitForURL(/\/deployments/);
  await find('Invite a');
  await take();
  await page.getByRole('dialog', { name: 'Invite a person' }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/people$/);
  await find('Owner');
  await take();
  await page.waitForURL(/\/people\/\d+$/);
  expect(complaints).toEqual([]);
  await context.close();
});

test('each action asks for the permission that its operation does', async () => {
  const urls = {
    'main-api': stack.base_url,
    supervisor: stack.supervisors[0]?.url ?? '',
    audit: stack.audit_url,
  };
  const documents = new Map(
    await Promise.all(
      Object.entries(urls).map(async ([layer, url]) => [layer, await operationsAt(url)] as const),
    ),
  );
  const declared = Object.entries(actions).map(([name, { layer, operation }]) => {
    const found = documents.get(layer)?.find(({ id }) => id === operation);
    return [name, found?.permission];
  });
  expect(declared).toEqual(
    Object.entries(actions).map(([name, { scope, permission }]): unknown[] => [
      name,
      expect.objectContaining({ scope, permission }) as unknown,
    ]),
  );
});
