import { eventually } from '@sluice/testing';
import { browserTest, faultsOf, violationsOf } from './browser.ts';
import type { ConsoleTests } from './deployment-pages.ts';

/** The pages of people, roles and API keys; and the others, on a phone. */
export function testPeoplePages({ stack, open }: ConsoleTests): void {
  browserTest(
    'a key is made and rotated, its token is shown once each time, and it is revoked by its name',
    async () => {
      const { page, complaints, context } = await open(`/t/${stack().tenant_id}/api-keys`);
      await page.getByRole('button', { name: 'Create a key' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name' }).fill('browser');
      await dialog.getByRole('button', { name: /Role/ }).click();
      await page.getByRole('option', { name: 'viewer' }).click();
      expect(await violationsOf(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      const once = page.getByRole('alertdialog');
      const tokenOf = async () => await once.locator('code').filter({ hasText: /^svc_/ }).innerText();
      await once.getByText('The token is shown this once.').waitFor();
      const token = await tokenOf();
      await once.getByRole('button', { name: 'I have kept it' }).click();
      const row = page.getByRole('row', { name: /browser/ });
      await row.waitFor();
      expect(await page.content()).not.toContain(token);

      await row.getByRole('button', { name: 'Rotate' }).click();
      await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
      await once.getByText('The token is shown this once.').waitFor();
      expect(await tokenOf()).not.toBe(token);
      await once.getByRole('button', { name: 'I have kept it' }).click();

      await row.getByRole('button', { name: 'Revoke' }).click();
      await once.getByRole('textbox').fill('browser');
      await once.getByRole('button', { name: 'Revoke', exact: true }).click();
      await row.waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
      await context.close();
    },
    60_000,
  );

  browserTest(
    'a role is tried before it is made, and shown with the place where it grants less',
    async () => {
      const { page, complaints, context } = await open(`/t/${stack().tenant_id}/roles/new`);
      await page.getByRole('textbox', { name: 'Name' }).fill('operator');
      await page.getByRole('button', { name: /Deployments, All environments/ }).click();
      await page.getByRole('option', { name: /manage/ }).click();
      const dryRun = page.getByRole('region', { name: 'Who gets the role' });
      await dryRun.getByText('deployment:manage').waitFor();

      await page.getByRole('button', { name: 'Add an override' }).click();
      await page.getByRole('menuitem', { name: 'all of default' }).click();
      await page.getByRole('button', { name: /Deployments, default/ }).click();
      await page.getByRole('option', { name: /^no/ }).click();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create the role' }).click();
      await page.getByRole('heading', { name: 'operator', level: 1 }).waitFor();
      await page.getByText('− no', { exact: true }).waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    },
    60_000,
  );

  browserTest(
    'of two people who edit the same role the second sees both versions',
    async () => {
      const { tenant_id, main } = stack();
      const { body: role } = await main.post<{ id: number }>(`/tenants/${tenant_id}/roles`, {
        ...{ name: 'edited', permissions: { tenant: ['info:read'] } },
      });
      const path = `/t/${tenant_id}/roles/${role.id}/edit`;
      const [one, other] = [await open(path), await open(path)];
      const nameIn = ({ page }: typeof one) => page.getByRole('textbox', { name: 'Name' });
      const save = ({ page }: typeof one) => page.getByRole('button', { name: 'Save', exact: true }).click();
      await nameIn(other).fill('by the other');
      await nameIn(one).fill('by the one');
      await save(one);
      await one.page.getByRole('heading', { name: 'by the one', level: 1 }).waitFor();

      expect(await nameIn(other).inputValue()).toBe('by the other');
      await save(other);
      await other.page.getByRole('heading', { name: 'It has changed meanwhile' }).waitFor();
      const shown = other.page.getByLabel('Their version and yours');
      await shown.getByText('by the one').waitFor();
      await shown.getByText('by the other').waitFor();
      expect(await violationsOf(other.page)).toEqual([]);
      await other.page.getByRole('button', { name: 'Take the version on the server' }).click();
      expect(await nameIn(other).inputValue()).toBe('by the one');
      await nameIn(other).fill('by both');
      await save(other);
      await other.page.getByRole('heading', { name: 'by both', level: 1 }).waitFor();
      expect((await main.get(`/tenants/${tenant_id}/roles/${role.id}`)).body).toMatchObject({
        name: 'by both',
      });
      expect(one.complaints).toEqual([]);
      for (const { context } of [one, other]) await context.close();
    },
    60_000,
  );

  browserTest(
    'a form whose object a program has changed meanwhile shows both versions, and sends its own when asked to',
    async () => {
      const { tenant_id, main } = stack();
      const tenant = `/tenants/${tenant_id}`;
      const { body: budget } = await main.post<{ id: number }>(`${tenant}/billing/budgets`, {
        ...{ name: 'edited', amount: '10' },
      });
      const budgetPath = `${tenant}/billing/budgets/${budget.id}`;
      const account = { cloud: 'cloud_a', name: 'edited', account_id: '123456789012' };
      const { headers } = await main.post(`${tenant}/cloud_accounts`, account);
      const accountPath = String(headers.get('location'));
      const { page, complaints, context } = await open(`/t/${tenant_id}/billing/payment`);
      const forms = [
        {
          ...{
            at: 'billing/payment',
            dialog: undefined,
            field: 'City',
            path: `${tenant}/billing/info`,
            key: 'city',
          },
          theirs: { city: 'Bonn' },
        },
        {
          ...{ at: 'billing/budgets', dialog: 'Change', field: 'Name', path: budgetPath, key: 'name' },
          theirs: { amount: '20' },
        },
        {
          ...{ at: 'organization/cloud-accounts', dialog: 'Edit', field: 'Remarks', path: accountPath },
          ...{ key: 'remarks', theirs: { remarks: 'theirs' } },
        },
      ];
      for (const { at, dialog, field, path, key, theirs } of forms) {
        await page.goto(new URL(`/t/${tenant_id}/${at}`, page.url()).href);
        if (dialog !== undefined) await page.getByRole('button', { name: dialog, exact: true }).click();
        await page.getByRole('textbox', { name: field }).fill('mine');
        expect((await main.put(path, theirs)).status).toBe(204);
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByRole('heading', { name: 'It has changed meanwhile' }).waitFor();
        expect(await violationsOf(page)).toEqual([]);
        await page.getByRole('button', { name: 'Send mine' }).click();
        await eventually(async () => expect((await main.get(path)).body[key]).toBe('mine'));
      }
      await main.delete(budgetPath);
      await main.delete(accountPath);
      await main.put(`${tenant}/billing/info`, {});
      // of the refused changes
      expect(complaints.filter((text) => !/status of 412/.test(text))).toEqual([]);
      await context.close();
    },
    90_000,
  );

  browserTest(
    'of two people who create an audit sink at once, or change how people join, the second sees both versions',
    async () => {
      const { tenant_id, main, audit } = stack();
      const tenant = `/tenants/${tenant_id}`;
      const config = `${tenant}/config`;
      const sink = `/audit/tenants/${tenant_id}/sink`;
      const { page, complaints, context } = await open(`/t/${tenant_id}/organization/domain`);
      const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
      const choose = async (field: string, option: string) => {
        await page.getByRole('button', { name: field }).click();
        await page.getByRole('option', { name: option }).click();
      };
      const before = (await main.get(config)).body;
      await choose('Who signs up with an address of the domain', 'They ask');
      expect((await main.put(config, { ...before, join_policy: 'open' })).status).toBe(204);
      await save();
      await page.getByRole('heading', { name: 'It has changed meanwhile' }).waitFor();
      await page.getByRole('button', { name: 'Send mine' }).click();
      await eventually(async () =>
        expect((await main.get(config)).body['join_policy']).toBe('request_to_join'),
      );

      await page.goto(new URL(`/t/${tenant_id}/audit/sink`, page.url()).href);
      await page.getByRole('textbox', { name: 'Address' }).fill('https://siem.example/mine');
      const theirs = { enabled: false, https: { url: 'https://siem.example/theirs' } };
      const { body: subscription } = await main.get(`${tenant}/subscription`);
      await main.put(`${tenant}/subscription`, { plan: 'enterprise' });
      // once the plan is known there
      await eventually(async () => expect((await audit.put(sink, theirs)).status).toBe(204));
      await save();
      await page.getByRole('heading', { name: 'It has changed meanwhile' }).waitFor();
      await page.getByLabel('Their version and yours').getByText('siem.example/theirs').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Take the version on the server' }).click();
      expect(await page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe(theirs.https.url);
      expect((await audit.delete(sink)).status).toBe(204);
      await main.put(config, before);
      await main.put(`${tenant}/subscription`, { plan: subscription['plan'] });
      // of what was not there yet, and of the refused changes
      expect(complaints.filter((text) => !/status of (404 .*\/sink$|412)/.test(text))).toEqual([]);
      await context.close();
    },
    90_000,
  );

  browserTest(
    'the other pages are accessible in both themes and fit a phone',
    async () => {
      const { page, complaints, context } = await open('/account', { viewport: { width: 360, height: 740 } });
      const of = (path: string) => `/t/${stack().tenant_id}/${path}`;
      for (const [path, shown] of [
        ['/account', 'Your data'],
        [of('people'), 'Owner'],
        [of('people/invitations'), 'Nobody is invited'],
        [of('people/join-requests'), 'Nobody asks to join'],
        [of('roles'), 'What each role grants'],
        [of('roles/who-can'), 'By the role'],
        [of('organization'), 'About it'],
        [of('organization/domain'), 'Joining'],
        [of('organization/cloud-accounts'), 'No cloud accounts'],
        [of('organization/plan'), 'What the plan has'],
        [of('billing'), 'Forecast'],
        [of('billing/budgets'), 'No budgets yet'],
        [of('billing/invoices'), 'No invoices yet'],
        [of('billing/payment'), 'Made out to'],
        [of('notifications'), 'No channels yet'],
        [of('audit'), 'Deployment created'],
        [of('audit/verification'), 'Verify the log'],
        [of('audit/sink'), 'Send the log'],
        ['/status', 'Status'],
      ] as const) {
        await page.goto(new URL(path, page.url()).href);
        await page.getByText(shown, { exact: true }).first().waitFor();
        expect([path, ...(await faultsOf(page))]).toEqual([path]);
      }
      // by 404 the API says that there is none, which Chromium notes
      const none = /status of 404 .*\/(sink|payment_method)$/;
      expect(complaints.filter((text) => !none.test(text))).toEqual([]);
      await context.close();
    },
    300_000,
  );
}
