import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, isStackGiven, type Stack, StackDatabases } from '@sluice/testing';
import { insertInvoice } from '../an-invoice.ts';
import type { Program } from './program.ts';

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const containing = (text: string): unknown => expect.stringContaining(text);
const withFields = (fields: object): unknown => expect.objectContaining(fields);

interface Given {
  stack: Stack;
  sluice: Program;
}

type Refused = (args: string[], code: number, said: RegExp) => Promise<void>;

/** `sluice billing`, with the deployment `default/nouns/nouns`. */
export function billingTests(given: () => Given, refused: Refused): void {
  test('billing: what the month costs, usage by what it is of, and its export', async () => {
    const { sluice } = given();
    for (const cost of [['current'], ['cost', 'nouns']])
      expect(await sluice.json('billing', ...cost)).toMatchObject({
        total_usd: matching(/^\d+\.\d\d$/),
        forecast_usd: matching(/^\d+\.\d\d$/),
      });
    expect(await sluice.run(['billing', 'current'])).toMatchObject({
      code: 0,
      stdout: matching(/Data retention +\$[^]*Until now +\$[^]*The month +\$/),
    });
    const usage = ['billing', 'usage', '--from', '2020-01-01', '--to', '2020-01-02'];
    expect(await sluice.run(usage)).toMatchObject({ code: 0, stdout: '', stderr: 'Nothing was used.\n' });
    for (const by of [
      ['--group-by', 'deployment'],
      ['--label', 'team'],
    ])
      expect(await sluice.run(['billing', 'usage', '--granularity', 'hour', ...by])).toMatchObject({
        code: 0,
      });
    await refused([...usage, '--group-by', 'division', '--label', 'team'], 2, /cannot be used with/);
    await refused(['billing', 'usage', '--from', '2020-01-01'], 7, /--to|--from/);
    await refused(['billing', 'usage', '--group-by', 'cloud'], 2, /component/);
    await refused(['billing', 'cost', 'nope'], 5, /sluice deployments list/);

    const file = join(sluice.config, '../usage.csv');
    const focus = ['billing', 'export', '--format', 'focus'];
    expect(await sluice.run([...focus, '--out', file])).toMatchObject({ code: 0, stdout: '' });
    const head = (await readFile(file, 'utf8')).split('\n')[0];
    expect(head).toContain('BilledCost');
    expect((await sluice.run(focus)).stdout.split('\n')[0]).toBe(head);
    await refused([...focus, '--out', file], 2, /exists already/);
  }, 60_000);

  test('billing: budgets, whom invoices are made out to, and the card', async () => {
    const { sluice } = given();
    const create = ['billing', 'budgets', 'create'];
    expect(await sluice.json(...create, 'All', '--amount', '12.50')).toMatchObject({
      ...{ name: 'All', amount_usd: '12.50', label: null, spent_usd: matching(/^\d/) },
    });
    expect(await sluice.json(...create, 'Dev', '--amount', '5', '--environment', 'nouns')).toMatchObject({
      environment: expect.any(Number) as unknown,
    });
    const labelled = ['Team', '--amount', '5', '--label', 'team=payments'];
    expect(await sluice.json(...create, ...labelled, '--dry-run')).toMatchObject({
      method: 'POST',
      body: { name: 'Team', amount: '5', label: { key: 'team', value: 'payments' } },
    });
    await refused([...create, 'X'], 2, /--amount/);
    await refused([...create, 'X', '--amount', '1.234'], 7, /--amount/);
    await refused([...create, 'X', '--amount', '1', '--label', 'team'], 2, /team=payments/);
    await refused([...create, 'All', '--amount', '1'], 6, /Request: /);
    await refused(['billing', 'budgets', 'edit', 'All'], 2, /What shall change/);
    expect(await sluice.run(['billing', 'budgets', 'edit', 'All', '--amount', '20'])).toMatchObject({
      code: 0,
    });
    expect(await sluice.json('billing', 'budgets', 'show', 'All')).toMatchObject({ amount_usd: '20.00' });
    await refused(['billing', 'budgets', 'delete', 'All'], 2, /--yes/);
    for (const name of ['All', 'Dev'])
      expect(await sluice.run(['billing', 'budgets', 'delete', name, '--yes'])).toMatchObject({ code: 0 });
    await refused(['billing', 'budgets', 'show', 'All'], 5, /sluice billing budgets list/);

    const file = join(sluice.config, '../info.yaml');
    await writeFile(file, 'company: Acme Ltd\ncountry: GB\n');
    const edit = ['billing', 'info', 'edit', '--file'];
    expect(await sluice.json(...edit, file)).toMatchObject({
      company: 'Acme Ltd',
      country: 'GB',
      city: null,
    });
    await writeFile(file, 'country: QQ\n');
    await refused([...edit, file], 7, /country/);
    expect(await sluice.run(['billing', 'info', 'show', '-o', 'name'])).toMatchObject({
      stdout: 'Acme Ltd\n',
    });
  }, 60_000);

  // what is over is put into the stack's database, and the payment provider is the stack's own
  const ownTest = isStackGiven ? test.skip : test;

  ownTest(
    'billing: a card is entered on its page, shown and deleted',
    async () => {
      const { sluice } = given();
      const method = (verb: string) => ['billing', 'payment-method', verb];
      // an installation that requires no payment method has an agreement with every tenant
      expect(await sluice.json(...method('show'))).toMatchObject({ kind: 'agreement' });
      await refused([...method('delete'), '--yes'], 5, /Request: /);
      const { stdout, stderr } = await sluice.run(method('setup'));
      expect(stderr).toMatch(/until 20/);
      await fetch(stdout.trim(), { method: 'POST', body: new URLSearchParams({ behaviour: 'charged' }) });
      await eventually(async () =>
        expect(await sluice.run(method('show'))).toMatchObject({ code: 0, stdout: containing('visa 4242') }),
      );
      await refused(method('delete'), 2, /--yes/);
      expect(await sluice.run([...method('delete'), '--yes'])).toMatchObject({ code: 0 });
      expect(await sluice.json(...method('show'))).toMatchObject({ kind: 'agreement' });
    },
    60_000,
  );

  ownTest(
    'billing: an invoice is shown with its lines, what they are made of, and as a PDF',
    async () => {
      const { sluice, stack } = given();
      await refused(['billing', 'invoices', 'show', 'INV-000001'], 5, /sluice billing invoices list/);
      const databases = new StackDatabases(stack);
      try {
        await insertInvoice(databases, Number(stack.tenant_id));
      } finally {
        await databases.close();
      }
      expect(await sluice.json('billing', 'invoices', 'list')).toEqual([
        withFields({ reference: 'INV-000001', total_usd: '11.90', paid_at: null }),
      ]);
      const shown = await sluice.run(['billing', 'invoices', 'show', 'INV-000001']);
      expect(shown).toMatchObject({
        code: 0,
        stdout: matching(
          /Line 1 +\$10\.00 {2}usage of payments\/prod\/orders, 2020-01-01 to[^]*Total +\$11\.90/,
        ),
      });
      const intervals = ['billing', 'invoices', 'intervals', 'INV-000001'];
      expect(await sluice.json(...intervals, '1')).toEqual([
        withFields({ tier: 'small', nodes: 1, seconds: 3600 }),
      ]);
      await refused([...intervals, 'x'], 2, /whole number/);
      await refused([...intervals, '9'], 5, /Request: /);
      const pdf = ['billing', 'invoices', 'pdf', 'INV-000001'];
      expect(await sluice.run(pdf)).toMatchObject({
        code: 0,
        stdout: '',
        stderr: containing('INV-000001.pdf'),
      });
      expect((await readFile(join(sluice.config, '../INV-000001.pdf'))).subarray(0, 5).toString()).toBe(
        '%PDF-',
      );
      await refused(pdf, 2, /exists already/);
    },
    60_000,
  );
}
