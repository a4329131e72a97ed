import { accessibilityFaults } from '@sluice/testing/accessibility';
import { hasChromium } from '@sluice/testing/browser';
import type { Page } from 'playwright-core';
import { servePage, type ServedPage } from './served-page.ts';

let served: ServedPage;
const browserTest = hasChromium ? test : test.skip;

beforeAll(async () => {
  if (hasChromium) served = await servePage();
}, 240_000);
afterAll(() => served?.close());

async function stream(name: string, payloads: readonly string[]) {
  const { manager, client } = served.broker;
  await manager.streams.add({ name, subjects: [`${name}.>`], allow_direct: true });
  for (const payload of payloads) await client.publish(`${name}.new`, payload);
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const violations = async (page: Page) => (await accessibilityFaults(page)).map(({ id }) => id);

browserTest(
  'a regular expression finds messages, and one that takes for ever is ended while the page goes on',
  async () => {
    await stream('orders', [`{"total":120}`, `{"total":7}`, `${'a'.repeat(60)}!`]);
    const { page, complaints } = await served.open('orders');
    await page.getByRole('button', { name: /^Text/ }).click();
    await page.getByRole('option', { name: 'Regular expression' }).click();
    await field(page, 'Search').fill('"total":\\d{3}');
    await button(page, 'Try on one message').click();
    await page.getByText('Message 3 does not fit.').waitFor();
    await button(page, 'Search').click();
    await page.getByText('1 message found, 3 looked at').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    await button(page, 'Leave the search').click();

    await field(page, 'Search').fill('(a');
    await button(page, 'Search').click();
    await page.getByText('The expression cannot be used').waitFor();

    await field(page, 'Search').fill('^(a+)+$');
    await button(page, 'Search').click();
    await button(page, 'Stop').waitFor();
    const begun = performance.now();
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    expect(performance.now() - begun).toBeLessThan(2_000);
    await page.getByText('The expression takes too long').waitFor({ timeout: 20_000 });

    await button(page, 'Search').click();
    await button(page, 'Stop').click();
    await page.getByText(/^Stopped\./).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  },
  90_000,
);

browserTest(
  'messages are published from a template, which is kept in memory until the session ends',
  async () => {
    await stream('made', []);
    const { page, complaints } = await served.open('made');
    await button(page, 'Publish').click();
    await field(page, 'Subject').last().fill('made.{{counter}}');
    await field(page, 'Payload').fill('{"number":{{counter 40}},"secret":"{{nothing}}"}');
    await page.getByText('Several, with placeholders').click();
    await page.getByText('{{nothing}} is no placeholder.').waitFor();
    await field(page, 'Payload').fill('{"number":{{counter 40}},"secret":"s3cret"}');
    expect(await page.getByLabel('The first message').innerText()).toBe(
      'made.1\n\n{"number":40,"secret":"s3cret"}',
    );
    await field(page, 'Messages').fill('6000');
    await page.getByText('From 1 to 5,000.').waitFor();
    await field(page, 'Messages').fill('30');
    await field(page, 'Per second').fill('100');
    await field(page, 'Name of the template').fill('mine');
    await button(page, 'Keep').click();
    expect(await violations(page)).toEqual([]);
    await button(page, 'Publish 30').click();
    await page.getByText('30 messages published').waitFor();
    await page.getByRole('row', { name: /made\.30/ }).waitFor();
    const last = await served.broker.manager.streams.getMessage('made', { last_by_subj: 'made.30' });
    expect(last?.json()).toEqual({ number: 69, secret: 's3cret' });

    await button(page, 'Publish').click();
    await page.getByRole('button', { name: /Template/ }).click();
    await page.getByRole('option', { name: 'mine' }).click();
    expect(await field(page, 'Subject').last().inputValue()).toBe('made.{{counter}}');
    await field(page, 'Messages').fill('5000');
    await button(page, 'Publish 5,000').click();
    await button(page, 'Stop').click();
    await page.getByText(/messages? published, then stopped/).waitFor();
    expect((await served.broker.manager.streams.info('made')).state.messages).toBeLessThan(1_000);
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(
      's3cret',
    );
    expect(complaints).toEqual([]);
    await page.close();
  },
  90_000,
);

browserTest(
  'a stream that is deleted elsewhere says so, and a purge of what is no number deletes nothing',
  async () => {
    await stream('gone', ['one', 'two']);
    const { page } = await served.open('gone');
    await button(page, 'Purge').click();
    await field(page, 'Keep so many of the newest').fill('all');
    await field(page, 'Type gone to confirm').fill('gone');
    await button(page, 'Delete the messages').click();
    await page.getByText('A whole number, or nothing.').waitFor();
    expect((await served.broker.manager.streams.info('gone')).state.messages).toBe(2);
    await button(page, 'Cancel').click();
    await served.broker.manager.streams.delete('gone');
    await page.getByText('There is no such stream.').first().waitFor({ timeout: 20_000 });
    await page.close();
  },
  60_000,
);
