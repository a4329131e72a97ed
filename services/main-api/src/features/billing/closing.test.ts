import { runAdmin } from '@sluice/admin';
import { eventually } from '@sluice/testing';
import { at, invoiceSettings, invoicing, price, seller } from '#test/invoicing.ts';
import { mainApi } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

let clock = new Date('2026-03-20T12:00:00Z');
const on = mainApi({
  ...{ per: 'test', replicas: 1 },
  clock: () => clock,
  environment: invoiceSettings,
});
const region = on.region();
const mails = on.mails();
const a = on.tenants();
beforeEach(() => {
  clock = new Date('2026-03-20T12:00:00Z');
  // ids begin again
  region.commands.length = 0;
  region.events.length = 0;
});

const march = at('03-01T00:00:00');
const { aDeployment, close, reported } = invoicing(on, region);

/** All months until this time are reported, and it is this time. */
async function itIs(time: string, usageTo = time) {
  clock = new Date(at(time));
  await reported(usageTo);
}

interface InvoiceRow {
  id: number;
  number: number;
  month: Date;
  subtotal: string;
  discount: string;
  credit: string;
  tax: string;
  total: string;
  missing: unknown[];
  paid_at: Date | null;
}
const invoicesOf = (tenant: TestTenant) =>
  on.sql<InvoiceRow>('SELECT * FROM invoices WHERE tenant_id = $1 ORDER BY number', [tenant.id]);
const linesOf = (invoiceId: number | undefined) =>
  on.sql<{ kind: string; amount: string; seconds: string | null }>(
    'SELECT * FROM invoice_lines WHERE invoice_id = $1 ORDER BY n',
    [invoiceId],
  );

describe('closing a month', () => {
  test('makes one invoice of each tenant with usage, with the tax of the seller where no country is given', async () => {
    const [acme, idle] = [await a.tenant(), await a.tenant()];
    const { used } = await aDeployment(acme);
    await aDeployment(idle);
    await used('03-10T00:00:00', '03-10T00:10:00');
    await itIs('04-01T00:10:00');
    await close();
    await close();
    expect(await invoicesOf(acme)).toMatchObject([
      {
        ...{ number: 1, reference: 'INV-000001', currency: 'USD', tax_rule: 'domestic', tax_country: 'DE' },
        ...{ month: new Date(at('03-01T00:00:00')), tax_rate: '19.00', missing: [], seller },
        ...{ subtotal: '18.00', discount: '0.00', credit: '0.00', tax: '3.42', total: '21.42' },
        ...{ issued_at: clock, due_at: new Date(at('04-15T00:10:00')), paid_at: null },
      },
    ]);
    expect(await linesOf((await invoicesOf(acme))[0]?.id)).toMatchObject([
      { kind: 'usage', amount: '18.00', seconds: '600.000000' },
      { kind: 'tax', amount: '3.42', percent: '19.00' },
    ]);
    expect(await invoicesOf(idle)).toEqual([]);
    await eventually(() =>
      expect(region.eventsOf('invoice_issued', { tenant_id: acme.id })).toMatchObject([
        { data: { reference: 'INV-000001', month: 'March 2026', total_usd: '21.42' } },
      ]),
    );
    const [invoice] = await invoicesOf(acme);
    const { email } = (await acme.admin.get(acme.path)).body;
    await eventually(async () =>
      expect(await mails.to(String(email))).toMatchObject([
        {
          template: 'invoice_issued',
          content: { url: `http://127.0.0.1/t/${acme.id}/billing/invoices/${invoice?.id}` },
        },
      ]),
    );
  });

  test('waits for regions that are behind, and after five days names them', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    await used('03-10T00:00:00', '03-10T00:10:00');
    await itIs('04-05T23:59:00', '03-31T23:00:00');
    await close();
    expect(await invoicesOf(acme)).toEqual([]);
    await itIs('04-06T00:00:00', '03-31T23:00:00');
    await close();
    expect(await invoicesOf(acme)).toMatchObject([
      {
        subtotal: '18.00',
        missing: [
          { cloud: 'cloud_a', region: 'us-east-1', usage_to: at('03-31T23:00:00').replace('Z', '.000Z') },
        ],
      },
    ]);
  });

  test('is what an operator can do before, and see before', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    await used('03-10T00:00:00', '03-10T00:10:00');
    await itIs('04-01T00:00:00', '03-31T23:00:00');
    await on.sql("INSERT INTO credits (tenant_id, amount, reason) VALUES ($1, 5, 'sorry')", [acme.id]);
    expect(await close(march)).toMatchObject({
      invoices: 1,
      drafts: [{ tenant_id: acme.id, subtotal: '18.00', credit: '5.00', tax: '2.47', total: '15.47' }],
    });
    expect(await invoicesOf(acme)).toEqual([]);
    expect(await on.sql('SELECT used FROM credits')).toEqual([{ used: '0.00' }]);
    expect(await close(march, false)).toEqual({ invoices: 1, failed: [] });
    expect(await invoicesOf(acme)).toMatchObject([{ number: 1, total: '15.47' }]);
    await eventually(() =>
      expect(region.eventsOf('invoice_issued', { tenant_id: acme.id })).toMatchObject([
        { data: { reference: 'INV-000001', closed_by: 'operator' } },
      ]),
    );
  });

  test('goes on with the others where the invoice of one tenant fails, and names that one', async () => {
    const [acme, broken, other] = [await a.tenant(), await a.tenant(), await a.tenant()];
    for (const tenant of [acme, broken, other])
      await (await aDeployment(tenant)).used('03-10T00:00:00', '03-10T00:10:00');
    await on.sql(`CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'refused';
      END $$;
      CREATE TRIGGER refuse_one BEFORE INSERT ON invoice_lines FOR EACH ROW WHEN (NEW.kind = 'usage'
        AND NEW.deployment_id IN (${(await on.sql<{ id: number }>('SELECT id FROM deployments WHERE tenant_id = $1', [broken.id])).map(({ id }) => id).join(', ')}))
        EXECUTE FUNCTION refuse_one()`);
    await itIs('04-01T00:00:00', '03-31T23:00:00');
    expect(await close(march)).toMatchObject({ invoices: 2, failed: [broken.id] });
    expect(await close(march, false)).toEqual({ invoices: 2, failed: [broken.id] });
    expect(await invoicesOf(broken)).toEqual([]);
    for (const tenant of [acme, other])
      expect(await invoicesOf(tenant)).toMatchObject([{ subtotal: '18.00' }]);
    const command = ['billing', 'close', '--month', '2026-03'];
    await expect(runAdmin(command, on.environment)).rejects.toMatchObject({
      exitCode: 9,
      message: `Invoices of these tenants could not be made: ${broken.id}.`,
    });
    await on.sql('DROP TRIGGER refuse_one ON invoice_lines');
    expect(await runAdmin(command, on.environment)).toContain('1 invoices are issued.');
    expect(await invoicesOf(broken)).toMatchObject([{ subtotal: '18.00' }]);
  });

  test('goes on to later months where a month comes to nothing', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    const little = { price: { ...price, compute: 1, storage: 0 } };
    await used('01-10T00:00:00', '01-10T00:00:01', little);
    await used('03-10T00:00:00', '03-10T00:10:00');
    await itIs('04-01T00:00:00', '03-31T23:00:00');
    expect(await close(march, false)).toEqual({ invoices: 1, failed: [] });
    expect(await invoicesOf(acme)).toMatchObject([
      { month: new Date(at('03-01T00:00:00')), subtotal: '18.00' },
    ]);
  });

  test('bills deployments of tenants that are deleted, under the name that they had', async () => {
    const acme = await a.tenant();
    const { id, uid, used } = await aDeployment(acme);
    await used('03-10T00:00:00', '03-10T00:10:00');
    await on.sql('UPDATE deployments SET delete_requested_at = now() WHERE id = $1', [id]);
    await region.removed(id, uid);
    expect((await acme.admin.delete(acme.path)).status).toBe(204);
    await itIs('04-01T00:00:00');
    await close();
    expect(await invoicesOf(acme)).toMatchObject([{ total: '21.42', customer: { name: 'Acme' } }]);
  });

  test('makes an invoice of each month that was left out, in their order', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    await used('01-10T00:00:00', '01-10T00:10:00');
    await used('03-10T00:00:00', '03-10T00:20:00');
    await itIs('04-01T00:00:00');
    await close();
    expect(await invoicesOf(acme)).toMatchObject([
      { month: new Date(at('01-01T00:00:00')), subtotal: '18.00' },
      { month: new Date(at('03-01T00:00:00')), subtotal: '36.00' },
    ]);
  });

  test('comes to the report of the month, each deployment rounded once', async () => {
    const acme = await a.tenant({ overrides: { deployment_tiers: [{ tier: 'free', limit: 9 }] } });
    for (const seconds of [1, 7, 13, 59]) {
      const { used } = await aDeployment(acme);
      // half a cent a second
      const odd = { ...price, compute: 1_314_000, storage: 0 };
      await used('03-10T00:00:00', `03-10T00:00:${String(seconds).padStart(2, '0')}`, { price: odd });
    }
    const report = (await acme.admin.get(`${acme.path}/billing/reports/202603`)).body as {
      total_usd: string;
    };
    await itIs('04-01T00:00:00');
    await close();
    const [invoice] = await invoicesOf(acme);
    expect((await linesOf(invoice?.id)).filter(({ kind }) => kind === 'usage')).toHaveLength(4);
    // 0.5, 3.5, 6.5 and 29.5 cents, each half up
    expect([invoice?.subtotal, report.total_usd]).toEqual(['0.42', '0.42']);
  });

  test('two replicas issue each invoice once, numbered without gaps', async () => {
    await on.startAt(() => clock);
    const tenants = await Promise.all(Array.from({ length: 12 }, () => a.tenant()));
    for (const tenant of tenants) await (await aDeployment(tenant)).used('03-10T00:00:00', '03-10T00:10:00');
    await itIs('04-01T00:00:00');
    // a request waits for the invoices that the other replica is making
    await Promise.all([close(march, false), close(march, false), close(march, false)]);
    const issued = await on.sql<{ number: number }>('SELECT number FROM invoices ORDER BY number');
    expect(issued.map(({ number }) => number)).toEqual(tenants.map((_, position) => position + 1));
    expect(await on.sql('SELECT last FROM invoice_numbers')).toEqual([{ last: 12 }]);
  });

  test.each([
    ['invoice_lines', 'INSERT'],
    ['usage_months', 'UPDATE'],
    ['credits', 'UPDATE'],
    ['invoice_numbers', 'UPDATE'],
    ['invoices', 'INSERT'],
    ['outbox', 'INSERT'],
  ])('begins again after a crash at %s', async (table, operation) => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    await used('03-10T00:00:00', '03-10T00:10:00');
    await on.sql("INSERT INTO credits (tenant_id, amount, reason) VALUES ($1, 5, 'sorry')", [acme.id]);
    await on.sql(`CREATE SEQUENCE crashes;
      CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        -- it comes back twice
        IF nextval('crashes') <= 2 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER crash AFTER ${operation} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION crash()`);
    await itIs('04-01T00:00:00');
    await eventually(async () => {
      await on.sql("SELECT pg_notify('closing_requests', '')");
      expect(await invoicesOf(acme)).toHaveLength(1);
    });
    expect(await on.sql('SELECT last_value > 2 AS crashed FROM crashes')).toEqual([{ crashed: true }]);
    expect(await invoicesOf(acme)).toMatchObject([
      { number: 1, subtotal: '18.00', credit: '5.00', total: '15.47' },
    ]);
    expect(await on.sql('SELECT used FROM credits')).toEqual([{ used: '5.00' }]);
  });
});

describe('an issued invoice', () => {
  test('is not changed, except that it is paid', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    await used('03-10T00:00:00', '03-10T00:10:00');
    await itIs('04-01T00:00:00');
    await close();
    const [invoice] = await invoicesOf(acme);
    await on.sql('UPDATE invoices SET paid_at = now() WHERE id = $1', [invoice?.id]);
    for (const statement of [
      'UPDATE invoices SET total = 0, tax = 0, subtotal = 0',
      'UPDATE invoices SET paid_at = NULL, due_at = now()',
      'DELETE FROM invoices',
      'TRUNCATE invoices CASCADE',
      'UPDATE invoice_lines SET amount = 0',
      'DELETE FROM invoice_lines',
      `INSERT INTO invoice_lines (invoice_id, n, kind, amount) SELECT id, 99, 'tax', 1 FROM invoices`,
    ])
      await expect(on.sql(statement)).rejects.toThrow(/an issued invoice/);
  });
});

describe('usage that comes late', () => {
  test('is a line of the next invoice: together they come to what one invoice would have come to', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    // half a cent a second: 0.005 and 0.015 are 0.01 and 0.02, and together 0.02
    const odd = { price: { ...price, compute: 1_314_000, storage: 0 } };
    await used('03-10T00:00:00', '03-10T00:00:01', odd);
    await itIs('04-01T00:00:00');
    await close();
    await used('03-10T00:00:01', '03-10T00:00:04', odd);
    await used('03-10T00:00:00', '03-10T00:00:04', odd);
    await close();
    expect(await invoicesOf(acme)).toHaveLength(1);
    await used('04-10T00:00:00', '04-10T00:10:00');
    await itIs('05-01T00:00:00');
    await close();
    const [first, next] = await invoicesOf(acme);
    expect([first?.subtotal, next?.subtotal]).toEqual(['0.01', '18.01']);
    expect(await linesOf(next?.id)).toMatchObject([
      { kind: 'usage', amount: '18.00' },
      {
        kind: 'correction',
        amount: '0.01',
        month: new Date(at('03-01T00:00:00')),
        seconds: '3.000000',
        closing: 1,
      },
      { kind: 'tax' },
    ]);
    const intervals = await on.sql(
      `SELECT closing, sum(extract(epoch FROM ended_at - started_at))::int AS seconds FROM usage_intervals
       WHERE started_at < '2026-04-01T00:00:00Z' GROUP BY closing ORDER BY closing`,
    );
    expect(intervals).toEqual([
      { closing: 0, seconds: 1 },
      { closing: 1, seconds: 3 },
    ]);
  });

  test('has an invoice of the next month of its own, where that has no usage', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    await used('03-10T00:00:00', '03-10T00:10:00');
    await itIs('04-01T00:00:00');
    await close();
    await used('03-10T00:10:00', '03-10T00:20:00');
    await itIs('05-01T00:00:00');
    await close();
    await itIs('06-01T00:00:00');
    await close();
    const [, april, ...more] = await invoicesOf(acme);
    expect(april).toMatchObject({ month: new Date(at('04-01T00:00:00')), subtotal: '18.00' });
    expect(more).toEqual([]);
  });

  test('has the discount of its month', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    await on.sql(
      `INSERT INTO discounts (tenant_id, percent, valid_from, valid_to, reason)
       VALUES ($1, 33.33, '2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z', 'first month')`,
      [acme.id],
    );
    await used('03-10T00:00:00', '03-10T00:00:01');
    await itIs('04-01T00:00:00');
    await close();
    await used('03-10T00:00:01', '03-10T00:00:02');
    await used('04-10T00:00:00', '04-10T00:00:01');
    await itIs('05-01T00:00:00');
    await close();
    // a third of 0.03, and of 0.06 what is left
    expect(await invoicesOf(acme)).toMatchObject([
      { subtotal: '0.03', discount: '0.01', total: '0.02' },
      { subtotal: '0.06', discount: '0.01', total: '0.06' },
    ]);
  });
});

describe('credits', () => {
  test('are used up in the order in which they expire, and never more than is owed', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    const give = (amount: string, expires: string | null, withdrawn: string | null = null) =>
      on.sql(
        "INSERT INTO credits (tenant_id, amount, expires_at, reason, withdrawn_at) VALUES ($1, $2, $3, 'sorry', $4)",
        [acme.id, amount, expires, withdrawn],
      );
    await give('100', null);
    await give('4', at('05-01T00:00:00'));
    await give('3', at('04-01T00:00:00'));
    await give('50', at('03-31T23:59:59'));
    await give('50', null, at('03-01T00:00:00'));
    await used('03-10T00:00:00', '03-10T00:10:00');
    await itIs('04-01T00:00:00');
    await close();
    const [invoice] = await invoicesOf(acme);
    expect(invoice).toMatchObject({ subtotal: '18.00', credit: '18.00', tax: '0.00', total: '0.00' });
    // there is nothing to pay
    expect(invoice?.paid_at).toEqual(clock);
    expect(
      (await linesOf(invoice?.id)).filter(({ kind }) => kind === 'credit').map(({ amount }) => amount),
    ).toEqual(['-3.00', '-4.00', '-11.00']);
    const used_ = await on.sql<{ used: string }>('SELECT used FROM credits ORDER BY id');
    expect(used_.map((row) => row.used)).toEqual(['11.00', '4.00', '3.00', '0.00', '0.00']);
  });
});
