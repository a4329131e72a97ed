import type { BrowserContextOptions } from 'playwright-core';
import type { Stack } from '@sluice/testing';
import { deploymentsPath, type Created } from '../story.ts';
import { browserTest, faultsOf, violationsOf, type Opened } from './browser.ts';

/** What the tests of pages share: one stack, one browser. */
export interface ConsoleTests {
  stack: () => Stack;
  open: (path: string, options?: BrowserContextOptions) => Promise<Opened>;
}

/** Where the deployment is that the page Start has made. */
export interface First {
  created?: Created;
}

/** From an empty organization to lines that connect. It has to be the first test. */
export function testStart({ stack, open }: ConsoleTests, first: First): void {
  browserTest(
    'the page Start leads from an empty organization to lines that connect',
    async () => {
      const { page, complaints, context } = await open(`/t/${stack().tenant_id}`);
      await page.getByRole('link', { name: 'Start with a free one' }).click();
      await page.getByRole('button', { name: 'Create the deployment' }).click();
      await page.waitForURL(/\/start\?deployment=\d+/);
      await page.getByRole('heading', { name: 'It runs' }).waitFor({ timeout: 60_000 });
      const lines = page.getByLabel('Node.js', { exact: true }).locator('code');
      expect(await lines.innerText()).toContain('process.env.NATS_PASSWORD');
      await page.getByRole('button', { name: 'Show the login' }).click();
      await page.getByRole('button', { name: 'Copy the password' }).waitFor();
      expect(await lines.innerText()).not.toContain('NATS_PASSWORD');
      expect(await violationsOf(page)).toEqual([]);

      await page.getByRole('link', { name: 'Open the deployment' }).click();
      await page.getByRole('heading', { name: 'Conditions' }).waitFor();
      const [, environmentId, deploymentId] = /\/d\/\d+\/(\d+)\/(\d+)$/.exec(page.url()) ?? [];
      first.created = { environmentId: Number(environmentId), deploymentId: Number(deploymentId) };
      // a region learns of a deployment a little later, and Chromium notes the 404 until then
      const early = /status of 404 .*\/api\/regions\/.*\/deployments\/\d+/;
      expect(complaints.filter((text) => !early.test(text))).toEqual([]);
      await context.close();
    },
    120_000,
  );
}

/** The tabs of a deployment's page and what can be done there. */
export function testDeploymentPages({ stack, open }: ConsoleTests, first: First): void {
  const pathOf = (tab: string) => {
    const { environmentId, deploymentId } = first.created!;
    return `/t/${stack().tenant_id}/d/${stack().division_id}/${environmentId}/${deploymentId}${tab}`;
  };

  browserTest(
    'each tab of a deployment is accessible in both themes and fits a phone',
    async () => {
      const { page, complaints, context } = await open(pathOf(''), { viewport: { width: 360, height: 740 } });
      // a heading or a label of each
      const tabs = {
        Overview: 'Nodes',
        Connect: 'Certificate',
        Access: 'Access rules',
        Network: 'Peerings',
        Metrics: 'Processors',
        Logs: 'Search in messages',
        Configuration: 'Versions',
        Backups: 'Backups',
        Connectors: 'Catalogue',
        Diagnostics: 'Reports',
        Activity: 'Tasks',
        Audit: 'Audit log',
        Settings: 'Delete',
      };
      for (const [tab, shown] of Object.entries(tabs)) {
        await page.getByRole('link', { name: tab, exact: true }).last().click();
        await page
          .getByRole('heading', { name: shown, exact: true })
          .or(page.getByLabel(shown, { exact: true }))
          .filter({ visible: true })
          .first()
          .waitFor();
        expect([tab, ...(await faultsOf(page))]).toEqual([tab]);
      }
      await page.goto(page.url().replace(/\/d\/.*/, '/deployments/new'));
      await page.getByRole('heading', { name: 'Not in this plan' }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    },
    300_000,
  );

  browserTest(
    'a rule of access is added with the own address, and its removal says who is cut off',
    async () => {
      const { page, complaints, context } = await open(pathOf('/access'));
      await page.getByRole('row', { name: /default/ }).waitFor();
      await page.getByRole('button', { name: 'Add a rule' }).click();
      await page.getByLabel('Name').fill('office');
      await page.getByLabel('Addresses').fill('192.0.2.0/24');
      await page.getByRole('button', { name: 'Add my address' }).click();
      await page.getByRole('button', { name: 'Add the rule' }).click();
      await page.getByRole('row', { name: /office/ }).waitFor();

      const { deploymentId } = first.created!;
      const { body } = await stack()
        .supervisor('cloud_a')
        .get<{ name: string; cidr_blocks: string[] }[]>(`/deployments/${deploymentId}/access_rules`);
      expect(body.find(({ name }) => name === 'office')?.cidr_blocks).toEqual([
        '192.0.2.0/24',
        expect.stringMatching(/^127\.\d+\.\d+\.\d+\/32$/),
      ]);

      // the rule of a free deployment lets everybody in, so nobody is cut off by the other
      await page
        .getByRole('row', { name: /office/ })
        .getByRole('button', { name: 'Remove' })
        .click();
      await page.getByText('Nobody is cut off').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page
        .getByRole('row', { name: /default/ })
        .getByRole('button', { name: 'Remove' })
        .click();
      await page.getByText('Connections from these addresses are closed at once').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page
        .getByRole('row', { name: /office/ })
        .getByRole('button', { name: 'Remove' })
        .click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('row', { name: /office/ }).waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
      await context.close();
    },
    60_000,
  );

  browserTest(
    'who changes a deployment that another has changed meanwhile sees both versions',
    async () => {
      const { page, context } = await open(pathOf('/settings'));
      const description = page.getByRole('textbox', { name: 'Description' });
      await description.fill('mine');
      const { environmentId, deploymentId } = first.created!;
      const path = `${deploymentsPath(stack(), environmentId)}/${deploymentId}`;
      await stack().main.put(path, { description: 'theirs' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'It has changed meanwhile' }).waitFor();
      await page.getByText('"theirs"').waitFor();
      await page.getByRole('button', { name: 'Send mine' }).click();
      await page.getByText('The deployment is changed').waitFor();
      expect((await stack().main.get(path)).body).toMatchObject({ description: 'mine' });
      await context.close();
    },
    60_000,
  );
}
