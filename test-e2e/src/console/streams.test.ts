import { anyStack, eventually, type Stack } from '@sluice/testing';
import { createStarter, untilInitialized, type Created } from '../story.ts';
import { browserTest, ConsoleInBrowser, hasBrowser, violationsOf } from './browser.ts';

let stack: Stack;
let consoleInBrowser: ConsoleInBrowser | undefined;
let created: Created;

beforeAll(async () => {
  if (!hasBrowser) return;
  consoleInBrowser = await ConsoleInBrowser.start();
  stack = consoleInBrowser.stack;
  created = await createStarter(stack);
  await untilInitialized(stack, created);
}, 240_000);
afterAll(async () => {
  await consoleInBrowser?.close();
  if (!consoleInBrowser) await (await anyStack()).remove();
});

const tab = () =>
  `/t/${stack.tenant_id}/d/${stack.division_id}/${created.environmentId}/${created.deploymentId}/streams`;
const rulesPath = () => `/deployments/${created.deploymentId}/access_rules`;
const hostile = '<img src=x onerror="document.title=\'hacked\'">';

browserTest(
  'a stream is created, a message published, seen, searched and purged, and what is hostile in it is text',
  async () => {
    const { page, complaints, context } = await consoleInBrowser!.open(tab());
    await page.getByRole('heading', { name: 'No stream is reported' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Open a session' }).click();
    await page.getByRole('heading', { name: 'No stream yet' }).waitFor();
    await page.getByRole('button', { name: 'Create a stream' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('orders');
    await page.getByRole('textbox', { name: 'Subjects' }).fill('orders.>');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'orders', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('textbox', { name: 'Subject', exact: true }).last().fill('orders.<b-onclick=x');
    await page.getByRole('textbox', { name: 'Headers' }).fill(`kind: ${hostile}`);
    await page.getByRole('textbox', { name: 'Payload' }).fill(JSON.stringify({ total: 120, hostile }));
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('row', { name: /orders\.<b/ }).waitFor();
    // masked until it is asked for
    expect(await page.locator('body').innerText()).not.toContain('onerror');
    await page.getByRole('row', { name: /orders\.<b/ }).click();
    await page.getByRole('button', { name: 'Show the values' }).click();
    expect(await page.getByLabel('Payload', { exact: true }).innerText()).toContain('onerror');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('button', { name: /^Text/ }).click();
    await page.getByRole('option', { name: 'JMESPath' }).click();
    await page.getByRole('textbox', { name: 'Search', exact: true }).fill('data.total > `200`');
    await page.getByRole('button', { name: 'Try on one message' }).click();
    await page.getByText('Message 1 does not fit.').waitFor();
    await page.getByRole('textbox', { name: 'Search', exact: true }).fill('data.total > `100`');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('1 message found').waitFor();
    await page.getByRole('button', { name: 'Leave the search' }).click();

    for (const part of ['Live', 'Subjects', 'Consumers', 'Configuration', 'Messages']) {
      await page.getByRole('tab', { name: part }).click();
      await page.locator('[aria-label=Loading]').first().waitFor({ state: 'detached' });
      expect([part, ...(await violationsOf(page))]).toEqual([part]);
    }

    await page.getByRole('button', { name: 'Purge' }).click();
    await page.getByRole('textbox', { name: 'Type orders to confirm' }).fill('orders');
    await page.getByRole('button', { name: 'Delete the messages' }).click();
    await page.getByRole('heading', { name: 'No message yet' }).waitFor();
    expect(await page.title()).not.toBe('hacked');

    await page.getByRole('button', { name: 'End the session' }).click();
    await page.getByRole('button', { name: 'All streams' }).click();
    await page.getByRole('row', { name: /orders/ }).waitFor({ timeout: 60_000 });
    expect(complaints).toEqual([]);
    await context.close();
  },
  180_000,
);

browserTest(
  'a session ends within a second with its rule, and without one the reason is said',
  async () => {
    const { page, context } = await consoleInBrowser!.open(tab());
    await page.getByRole('button', { name: 'Open a session' }).click();
    await page.getByText('A session with the broker is open').waitFor();
    const region = stack.supervisor('cloud_a');
    const { body: rules } = await region.get<{ id: number; name: string }[]>(rulesPath());
    for (const { id } of rules) await region.delete(`${rulesPath()}/${id}`);
    const begun = performance.now();
    await page.getByText('The session has ended').waitFor();
    expect(performance.now() - begun).toBeLessThan(1_000);
    await page.getByRole('button', { name: 'Open a session' }).click();
    await page.getByText('address_not_admitted').waitFor();
    expect(await violationsOf(page)).toEqual([]);

    const all = { broker_tcp: true, broker_http: true, broker_websocket: true, broker_udp: true };
    await region.post(rulesPath(), { name: 'again', rules: all, cidr_blocks: [stack.clientBlock] });
    await eventually(
      async () => {
        await page.getByRole('button', { name: 'Open a session' }).click();
        await page.getByText('A session with the broker is open').waitFor({ timeout: 3_000 });
      },
      { timeoutMs: 30_000 },
    );
    await context.close();
  },
  120_000,
);
