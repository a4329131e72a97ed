import { runAdmin } from '@sluice/admin';
import { at, invoiceSettings, invoicing } from '#test/invoicing.ts';
import { mainApi, refusal } from '#test/main-api.ts';
import { Payments } from '#test/payments.ts';
import type { TestTenant } from '#test/tenants.ts';

let clock = new Date(at('03-20T12:00:00'));
const on = mainApi({
  ...{ replicas: 1, clock: () => clock },
  environment: { ...invoiceSettings, PAYMENT_REQUIRED: 'true' },
});
const payments = new Payments(on);
const region = on.region();
const a = on.tenants();
const { aDeployment, close, reported } = invoicing(on, region);
beforeEach(() => {
  clock = new Date(at('03-20T12:00:00'));
  region.commands.length = 0;
});

async function itIs(time: string) {
  clock = new Date(at(time));
  await reported(time);
  await close();
}

const invoicesOf = (tenant: TestTenant) =>
  on.sql<{ id: number }>('SELECT * FROM invoices WHERE tenant_id = $1 ORDER BY number', [tenant.id]);

describe('usage that comes to less than a card can be charged', () => {
  test('is carried to the next invoice, and so are the credits that were valid', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    await on.sql(
      "INSERT INTO credits (tenant_id, amount, expires_at, reason) VALUES ($1, 1, '2026-04-01T00:00:00Z', 'sorry')",
      [acme.id],
    );
    // 1.20, of which the credit pays 1.00; with the tax 0.24
    await used('03-10T00:00:00', '03-10T00:00:40');
    await itIs('04-01T00:00:00');
    expect(await invoicesOf(acme)).toEqual([]);
    expect(await on.sql('SELECT used FROM credits')).toEqual([{ used: '0.00' }]);
    await itIs('05-01T00:00:00');
    expect(await invoicesOf(acme)).toEqual([]);
    await used('05-10T00:00:00', '05-10T00:10:00');
    await itIs('06-01T00:00:00');
    const [invoice, ...more] = await invoicesOf(acme);
    expect(more).toEqual([]);
    expect(invoice).toMatchObject({
      ...{ month: new Date(at('05-01T00:00:00')), number: 1 },
      ...{ subtotal: '19.20', credit: '1.00', tax: '3.46', total: '21.66' },
    });
    const lines = await on.sql(
      'SELECT kind, amount, month FROM invoice_lines WHERE invoice_id = $1 ORDER BY n',
      [invoice?.id],
    );
    expect(lines).toMatchObject([
      { kind: 'usage', amount: '18.00' },
      { kind: 'correction', amount: '1.20', month: new Date(at('03-01T00:00:00')) },
      { kind: 'credit' },
      { kind: 'tax' },
    ]);
    expect(await on.sql('SELECT FROM usage_months WHERE open OR carried')).toEqual([]);
  });

  test('is invoiced to a tenant with an agreement, which pays no card', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    await runAdmin(['billing', 'agreement', 'set', String(acme.id), '--term', '30'], on.environment);
    await used('03-10T00:00:00', '03-10T00:00:01');
    await itIs('04-01T00:00:00');
    expect(await invoicesOf(acme)).toMatchObject([{ total: '0.04' }]);
  });

  test('does not keep its tenant from being deleted', async () => {
    const acme = await a.tenant();
    const { id, uid, used } = await aDeployment(acme);
    await payments.saveCard(acme);
    await used('03-10T00:00:00', '03-10T00:00:10');
    await itIs('04-01T00:00:00');
    await used('04-01T00:00:00', '04-01T00:00:10');
    await on.sql('UPDATE deployments SET delete_requested_at = now() WHERE id = $1', [id]);
    await region.removed(id, uid);
    expect(refusal(await acme.admin.delete(acme.path))).toMatch(/^409 billing_not_settled/);
    await on.sql(
      "UPDATE usage_intervals SET ended_at = started_at + interval '1 second' WHERE started_at > '2026-04-01T00:00:00Z'::timestamptz - interval '1 second'",
    );
    expect((await acme.admin.delete(acme.path)).status).toBe(204);
  });
});
