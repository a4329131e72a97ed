import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectBroker, startStack, type Login, type Stack } from '@sluice/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Browser } from 'playwright-core';
import { databases } from '../storm/machine.ts';
import { createStarter, untilInitialized, type Created } from '../story.ts';
import { launchBrowser } from '@sluice/testing/browser';
import { browserTest, hasBrowser, openTab, violationsOf } from './browser.ts';

/** The page that nodes serve. The stack is its own, as its services are stopped. */
let stack: Stack;
let browser: Browser;
let created: Created;
let login: Login;

const services = [...Object.keys(databases), 'console'];

beforeAll(async () => {
  if (!hasBrowser) return;
  [stack, browser] = await Promise.all([startStack(), launchBrowser()]);
  created = await createStarter(stack);
  const region = stack.supervisor('cloud_a');
  const path = `/deployments/${created.deploymentId}`;
  await untilInitialized(stack, created);
  login = (await region.get<Login>(`${path}/credentials`)).body;
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await stack?.remove();
});

const signal = async (name: NodeJS.Signals) => {
  for (const service of services)
    process.kill(Number(await readFile(join(stack.home, 'run', `${service}.pid`), 'utf8')), name);
};

browserTest(
  'the page of a node works while the control plane is stopped',
  async () => {
    const { endpoints } = await untilInitialized(stack, created);
    expect(endpoints.broker_http).toEqual(expect.stringMatching(/:\d+$/));
    const url = `https://${endpoints.broker_http}/`;
    await signal('SIGSTOP');
    try {
      // the authority of the region is its own
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      const { page, complaints } = await openTab(context, url);
      await page.getByLabel('User').fill(login.username);
      await page.getByLabel('Password').fill('wrong');
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('The broker refuses the login').waitFor();
      await page.getByLabel('Password').fill(login.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Create a stream' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('events');
      await page.getByRole('textbox', { name: 'Subjects' }).fill('events.>');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name: 'events', exact: true }).waitFor();

      const broker = await connectBroker(endpoints.broker_tcp ?? '', login);
      for (let index = 0; index < 3; index++) broker.publish('events.new', JSON.stringify({ index }));
      await broker.flush();
      const manager = await jetstreamManager(broker);
      await manager.consumers.add('events', { durable_name: 'reader', ack_policy: 'explicit' });
      await page
        .getByRole('row', { name: /events\.new/ })
        .nth(2)
        .waitFor();
      await page.getByRole('tab', { name: 'Consumers' }).click();
      await page.getByRole('button', { name: 'Pause reader' }).click();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: 'Resume reader' }).waitFor();
      await page.getByRole('button', { name: 'Reset reader' }).click();
      await page.getByRole('textbox', { name: 'To', exact: true }).fill('3');
      await page.getByText('This skips 2 messages').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      expect((await manager.consumers.info('events', 'reader')).paused).toBe(true);
      await broker.close();
      // a login that was refused is the one complaint that there may be
      expect(complaints).toEqual([]);
      expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(
        login.password,
      );
      await context.close();
    } finally {
      await signal('SIGCONT');
    }
  },
  180_000,
);
