import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { actions } from '@sluice/console/actions';
import { buildConsole } from '@sluice/console/build';
import { addColleague, addSession, anyStack, isStackGiven, type Stack } from '@sluice/testing';
import { operationsAt } from '../documents.ts';
import { StackDatabases } from '../stack-databases.ts';
import { createManaged, untilInitialized } from '../story.ts';
import { browserTest, launchBrowser, signedInPage, type Watched } from './browser.ts';
import { serveConsole, type ConsoleServer } from './console-server.ts';
import { testDeploymentPages, testStart, type First } from './deployment-pages.ts';

// sessions are put into the stack's database
const consoleTest = isStackGiven ? test.skip : browserTest;
let stack: Stack;
let server: ConsoleServer | undefined;
let browser: Browser | undefined;
let token: string;

beforeAll(async () => {
  stack = await anyStack();
  if (consoleTest === test.skip) return;
  server = await serveConsole(await buildConsole(), stack);
  browser = await launchBrowser();
  const databases = new StackDatabases(stack);
  const query = <Row extends object>(text: string, values?: unknown[]) =>
    databases.query<Row>('main_api', text, values);
  const colleague = await addColleague(query, stack.tenant_id);
  token = await addSession(query, stack.tenant_id, colleague);
  await databases.close();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await stack?.remove();
});

async function open(
  path: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Watched & { context: BrowserContext }> {
  const context = await browser!.newContext(options);
  const watched = await signedInPage(context, server!.url, token);
  await watched.page.goto(`${server!.url}${path}`);
  return { ...watched, context };
}

const violations = async (page: Page) => {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
};

const shared = { test: consoleTest, stack: () => stack, open, violations };
const first: First = {};

testStart(shared, first);

consoleTest(
  'the list of deployments shows what is created while it is open, and is accessible in both themes',
  async () => {
    const { page, complaints, context } = await open(`/t/${stack.tenant_id}/deployments`);
    await page.getByRole('row', { name: /Running/ }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();

    const created = await createManaged(stack, first.created!.environmentId, 'telemetry');
    await page.getByRole('row', { name: /telemetry/ }).waitFor();
    await untilInitialized(stack, created);
    await page.getByRole('row', { name: /telemetry.*Running/ }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page)).toEqual([]);
    }

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

consoleTest('the overview has what there is, at the width of a phone as well', async () => {
  const { page, complaints, context } = await open('/', { viewport: { width: 360, height: 740 } });
  await page.getByText('All deployments are healthy').waitFor();
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow).toBe(0);
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

testDeploymentPages(shared, first);

consoleTest('the palette finds pages by the keyboard alone', async () => {
  const { page, complaints, context } = await open(`/t/${stack.tenant_id}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Find a page or a deployment').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.type('Deplo');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/deployments/);
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
