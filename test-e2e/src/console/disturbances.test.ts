import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { buildConsole } from '@sluice/console/build';
import { eventually, startStack } from '@sluice/testing';
import { machineOf } from '../storm/machine.ts';
import { createStarter, deploymentsPath, untilInitialized, type Created } from '../story.ts';
import { browserTest, ConsoleInBrowser, hasBrowser, violationsOf } from './browser.ts';

/** What people see when something is refused, away or replaced, on a stack of its own: others would suffer from that. */

let on: ConsoleInBrowser;
let files: string;
let created: Created;

beforeAll(async () => {
  if (!hasBrowser) return;
  files = await mkdtemp(join(tmpdir(), 'sluice-console-build-'));
  await cp(await buildConsole(), files, { recursive: true });
  process.env['CONSOLE_FILES'] = files;
  on = await ConsoleInBrowser.start(startStack());
  created = await createStarter(on.stack);
  await untilInitialized(on.stack, created);
}, 300_000);
afterAll(async () => {
  delete process.env['CONSOLE_FILES'];
  await on?.close();
  if (files) await rm(files, { recursive: true });
}, 60_000);

const ofDeployment = (tab: string) => {
  const { tenant_id, division_id } = on.stack;
  return `/t/${tenant_id}/d/${division_id}/${created.environmentId}/${created.deploymentId}${tab}`;
};

/** Presses Tab until an element has the focus, as who has no mouse does. */
async function tabTo(page: Page, role: 'link' | 'button' | 'radio' | 'textbox', name: string | RegExp) {
  const wanted = page.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) }).first();
  await wanted.waitFor();
  for (let presses = 0; presses < 100; presses++) {
    if ((await wanted.and(page.locator(':focus')).count()) === 1) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not come to the ${role} ${String(name)}`);
}

async function press(page: Page, role: 'link' | 'button', name: string | RegExp) {
  await tabTo(page, role, name);
  await page.keyboard.press('Enter');
}

browserTest(
  'who asks too often sees when to try again',
  async () => {
    const path = `${deploymentsPath(on.stack, created.environmentId)}/${created.deploymentId}`;
    await on.stack.main.put(path, { protected: true });
    const { page, context } = await on.open(ofDeployment('/settings'));
    await page.getByRole('button', { name: 'Delete the deployment' }).click();
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByText('Sent to the owner of the organization.').waitFor();
    await page.getByRole('button', { name: 'Send another' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('protection_code_throttled').waitFor();
    const seconds = async () => {
      const text = await alert.getByText(/^Try again in \d+ seconds\.$/).innerText();
      return Number(/\d+/.exec(text)?.[0]);
    };
    const first = await seconds();
    expect(first).toBeGreaterThan(10);
    expect(first).toBeLessThanOrEqual(60);
    await eventually(async () => expect(await seconds()).toBeLessThan(first));
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
    await on.stack.main.put(path, { protected: false });
  },
  60_000,
);

browserTest(
  'a region that is killed is named while the rest stays, and is there again by itself',
  async () => {
    const { page, context } = await on.open(`/t/${on.stack.tenant_id}`);
    await page.getByText('All deployments are healthy').waitFor();
    const away = page.getByText(/cannot be reached\. What is there is left out of the totals\./);
    const machine = machineOf(on.stack);
    // the launcher starts it again each time
    let isSeen = false;
    const killed = (async () => {
      while (!isSeen) {
        await machine.killService('supervisor-cloud_a').catch(() => undefined);
        await page.waitForTimeout(200);
      }
    })();
    try {
      await page.reload();
      await away.waitFor({ timeout: 90_000 });
      expect(await away.innerText()).toMatch(/^US East 1 cannot/);
      // what the Main API knows is there
      await page.getByRole('heading', { name: 'Structure' }).waitFor();
      await page.getByText('default', { exact: true }).first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
    } finally {
      isSeen = true;
      await killed;
    }
    await away.waitFor({ state: 'detached', timeout: 90_000 });
    await page.getByText('All deployments are healthy').waitFor();
    await context.close();
  },
  240_000,
);

browserTest(
  'from the sign-in to the Connect tab of a new deployment by the keyboard alone',
  async () => {
    // the plan has room for another
    const path = `${deploymentsPath(on.stack, created.environmentId)}/${created.deploymentId}`;
    expect((await on.stack.main.delete(path)).status).toBe(202);
    const { page, complaints, context } = await on.openAsStranger('/');
    await press(page, 'link', 'Continue with this machine');
    await press(page, 'button', /owner/i);
    await press(page, 'link', 'Start with a free one');
    await press(page, 'button', 'Create the deployment');
    await page.getByRole('heading', { name: 'It runs' }).waitFor({ timeout: 90_000 });
    await press(page, 'link', 'Open the deployment');
    await page.getByRole('heading', { name: 'Conditions' }).waitFor();
    await press(page, 'link', 'Connect');
    await page.getByRole('heading', { name: 'Certificate', exact: true }).waitFor();
    // who is not signed in is 401, and a region may come to know of the deployment a moment later
    expect(complaints.filter((text) => !/status of 40[14]/.test(text))).toEqual([]);
    await context.close();
  },
  180_000,
);

browserTest(
  'a page that is older than the console says so, and is the new one after that',
  async () => {
    const { page, context } = await on.open(`/t/${on.stack.tenant_id}/deployments`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const build = join(files, 'build.json');
    const former = await readFile(build, 'utf8');
    const banner = page.getByText('The console has been upgraded. This page is of the version before.');
    const looks = () => page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await looks();
    expect(await banner.count()).toBe(0);

    // as an upgrade does it: other files, and another process
    await writeFile(build, JSON.stringify({ id: 'another build' }));
    await machineOf(on.stack).endService('console');
    await eventually(async () => {
      await looks();
      await banner.waitFor({ timeout: 500 });
    });
    expect(await violationsOf(page)).toEqual([]);
    await writeFile(build, former);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await looks();
    expect(await banner.count()).toBe(0);
    await context.close();
  },
  90_000,
);
