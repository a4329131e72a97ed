import { eventually } from '@sluice/testing';
import { deploymentsOf, idOf, small } from '#test/deployments.ts';
import { mainApi, refusal } from '#test/main-api.ts';
import { Payments } from '#test/payments.ts';
import type { TestTenant } from '#test/tenants.ts';

const seller = JSON.stringify({ name: 'Streams Ltd', address: ['1 Road'], country: 'DE' });
const on = mainApi({ environment: { PAYMENT_REQUIRED: 'true', BILLING_SELLER: seller } });
const payments = new Payments(on);
const region = on.region();
const a = on.tenants();
const mails = on.mails();

const paidAt = async (id: number) =>
  (await on.sql<{ paid_at: Date | null }>('SELECT paid_at FROM invoices WHERE id = $1', [id]))[0]?.paid_at;
const untilPaid = (id: number) => eventually(async () => expect(await paidAt(id)).toBeInstanceOf(Date));
const attempts = async (id: number) =>
  (
    await on.sql<{ status: string }>(
      'SELECT status FROM payment_charges WHERE invoice_id = $1 ORDER BY attempt',
      [id],
    )
  ).map(({ status }) => status);
const eventsOf = (tenant: TestTenant, prefix: string) =>
  region.events.filter(({ tenant_id, type }) => tenant_id === tenant.id && type.startsWith(prefix));

describe('an issued invoice', () => {
  test('is charged to the card of its tenant once, and is paid then', async () => {
    const acme = await a.tenant();
    await payments.saveCard(acme);
    const id = await payments.invoice(acme, '118.20');
    await payments.collect(id, acme);
    await untilPaid(id);
    await payments.collect(id, acme);
    await eventually(async () =>
      expect(
        await on.sql("SELECT FROM payment_work WHERE kind = 'invoice' AND subject = $1", [String(id)]),
      ).toEqual([]),
    );
    expect(payments.chargesOf(id)).toMatchObject([{ amount: 11_820, currency: 'usd', status: 'succeeded' }]);
    await eventually(() =>
      expect(eventsOf(acme, 'invoice_paid')).toMatchObject([{ data: { amount: '118.20', by: 'card' } }]),
    );
  });

  test('is found without a request, and left alone when there is nothing to pay', async () => {
    const acme = await a.tenant();
    await payments.saveCard(acme);
    const [owed, none] = [await payments.invoice(acme, '1.00'), await payments.invoice(acme, '0.00')];
    // a replica looks as soon as it starts, and each minute from then on
    const another = await on.start();
    await untilPaid(owed);
    await another.stop();
    expect(await attempts(none)).toEqual([]);
  });

  test('whose charge is made, but not answered, is charged once by two replicas', async () => {
    const acme = await a.tenant();
    await payments.saveCard(acme, 'answer_lost');
    const id = await payments.invoice(acme, '10.00');
    payments.deliver(false);
    await payments.collect(id, acme);
    await eventually(() => expect(payments.chargesOf(id)).toHaveLength(1));
    // the lease of the run whose answer was lost ends
    const again = () =>
      on.sql("UPDATE payment_work SET leased_until = NULL, due_at = '2000-01-01' WHERE subject = $1", [
        String(id),
      ]);
    await eventually(async () => {
      await again();
      expect(await paidAt(id)).toBeInstanceOf(Date);
    });
    payments.deliver();
    expect(payments.chargesOf(id)).toHaveLength(1);
    expect(await attempts(id)).toEqual(['succeeded']);
  });

  test('is charged with the stored key again when the call was never made', async () => {
    const acme = await a.tenant();
    await payments.saveCard(acme);
    const id = await payments.invoice(acme, '10.00');
    const [method] = await on.sql<{ customer: string; reference: string }>(
      'SELECT customer, reference FROM payment_methods WHERE tenant_id = $1',
      [acme.id],
    );
    const [charge] = await on.sql<{ id: string }>(
      `INSERT INTO payment_charges (tenant_id, invoice_id, attempt, provider, customer, method, created_at)
       VALUES ($1, $2, 1, 'test', $3, $4, now()) RETURNING id`,
      [acme.id, id, method?.customer, method?.reference],
    );
    await payments.collect(id, acme);
    await untilPaid(id);
    expect(payments.chargesOf(id)).toMatchObject([{ metadata: { sluice_charge: charge?.id } }]);
  });

  test('is not charged again by a database that was restored to before its charge', async () => {
    const acme = await a.tenant();
    await payments.saveCard(acme);
    const id = await payments.invoice(acme, '10.00');
    await payments.collect(id, acme);
    await untilPaid(id);
    await on.sql('DELETE FROM payment_charges WHERE invoice_id = $1', [id]);
    await on.sql('UPDATE invoices SET paid_at = NULL WHERE id = $1', [id]);
    await payments.collect(id, acme);
    await untilPaid(id);
    expect(payments.chargesOf(id)).toHaveLength(1);
  });

  test('the database refuses a second charge while one is open or has succeeded', async () => {
    const acme = await a.tenant();
    const id = await payments.invoice(acme, '10.00');
    const charge = (attempt: number, status: string) =>
      on.sql(
        `INSERT INTO payment_charges (tenant_id, invoice_id, attempt, provider, customer, method, created_at, status)
         VALUES ($1, $2, $3, 'test', 'cus', 'pm', now(), $4)`,
        [acme.id, id, attempt, status],
      );
    await charge(1, 'failed');
    await charge(2, 'open');
    await expect(charge(3, 'open')).rejects.toThrow('payment_charges_once');
  });
});

describe('a card that is declined', () => {
  test('is charged again after 1, 3 and 7 days; then the tenant is overdue until it pays', async () => {
    const acme = await a.tenant();
    await payments.saveCard(acme, 'declined');
    await acme.admin.put(`${acme.path}/billing/info`, { email: `billing-${acme.id}@acme.example` });
    const list = await deploymentsOf(acme);
    const made = await acme.admin.post(`${list}/managed`, small);
    expect(made.status).toBe(202);
    await region.status(idOf(made), 1, 'initialized');
    const deployment = `${list}/${idOf(made)}`;
    const retention = (telemetry_days: number) =>
      acme.admin.put(`${deployment}/retention`, { retention: { telemetry_days } });
    const id = await payments.invoice(acme, '20.00');
    const refused = async (count: number) => {
      await payments.collect(id, acme);
      await eventually(async () => expect(await attempts(id)).toEqual(Array(count).fill('failed')));
    };
    const passes = (days: number) =>
      on.sql(
        'UPDATE collections SET first_failed_at = now() - make_interval(days => $2) WHERE invoice_id = $1',
        [id, days],
      );
    await refused(1);
    // too early: nothing is charged
    await refused(1);
    for (const [position, days] of [1, 3, 7].entries()) {
      expect((await retention(10 + days)).status).toBe(200);
      await passes(days);
      await refused(position + 2);
    }
    const create = () => acme.admin.post(`${list}/managed`, { ...small, name: 'late' });
    await eventually(async () => expect(refusal(await create())).toBe('409 payment_overdue'));
    expect((await create()).body).toMatchObject({ amount_usd: '20.00' });
    const upgrade = await acme.admin.post(`${deployment}/upgrade`, { tier: 'medium' });
    expect(refusal(upgrade)).toBe('409 payment_overdue');
    expect(refusal(await retention(30))).toBe('409 payment_overdue');
    const to = `billing-${acme.id}@acme.example`;
    await eventually(async () =>
      expect((await mails.to(to)).map(({ template }) => template)).toEqual([
        ...Array<string>(4).fill('payment_failed'),
        'payment_overdue',
      ]),
    );
    for (const { content } of await mails.to(to))
      expect(content).toMatchObject({ url: `http://127.0.0.1/t/${acme.id}/billing/payment` });
    expect(eventsOf(acme, 'payment_')).toContainEqual(expect.objectContaining({ type: 'payment_overdue' }));

    await payments.saveCard(acme, 'charged');
    await untilPaid(id);
    expect(await create()).toMatchObject({ status: 202 });
  }, 60_000);
});

describe('a tenant without a card', () => {
  test('is overdue once an invoice is due, and no longer when that is paid', async () => {
    const acme = await a.tenant();
    await on.sql("INSERT INTO payment_methods (tenant_id, kind, term_days) VALUES ($1, 'invoice', 30)", [
      acme.id,
    ]);
    const [later, due] = [
      await payments.invoice(acme, '5.00'),
      await payments.invoice(acme, '7.00', '2020-06-01'),
    ];
    await payments.collect(later, acme);
    await payments.collect(due, acme);
    const list = await deploymentsOf(acme);
    const create = () => acme.admin.post(`${list}/managed`, small);
    await eventually(() =>
      expect(eventsOf(acme, 'payment_')).toContainEqual(expect.objectContaining({ type: 'payment_overdue' })),
    );
    expect((await create()).body).toMatchObject({ code: 'payment_overdue', amount_usd: '7.00' });
    await on.sql('UPDATE invoices SET paid_at = now() WHERE id = $1', [due]);
    expect(await create()).toMatchObject({ status: 202 });
    expect(payments.chargesOf(due)).toEqual([]);
  });
});

describe('the deletion of a tenant', () => {
  /** Usage of a dollar that no invoice has. */
  const useInThisMonth = ({ id }: TestTenant) =>
    on.sql(
      `WITH billed AS (
         INSERT INTO billed_deployments (uid, deployment_id, tenant_id, division_id, environment_id, name, division_name,
           environment_name, cloud, region)
         VALUES (gen_random_uuid(), 1, $1, 1, 1, 'orders', 'default', 'production', 'cloud_a', 'us-east-1') RETURNING id),
       month AS (INSERT INTO usage_months (billed_id, month) SELECT id, date_trunc('month', now(), 'UTC') FROM billed)
       INSERT INTO usage_intervals (billed_id, started_at, ended_at, compute, storage, network, telemetry, data_retention,
         tier, nodes, storage_type)
       SELECT id, date_trunc('month', now(), 'UTC'), date_trunc('month', now(), 'UTC') + interval '1 hour', 73000, 0, 0, 0, 0,
         'small', 1, 'local_ssd' FROM billed`,
      [id],
    );

  test('needs its invoices paid and what it has used invoiced', async () => {
    const acme = await a.tenant();
    await payments.saveCard(acme, 'declined');
    const id = await payments.invoice(acme, '3.00');
    const answer = await acme.admin.delete(acme.path);
    expect(refusal(answer)).toBe('409 billing_not_settled');
    expect(answer.body).toMatchObject({ amount_usd: '3.00', invoiced_usd: '3.00', not_invoiced_usd: '0.00' });
    expect(refusal(await acme.admin.delete(`${acme.path}/billing/payments/method`))).toBe(
      '409 billing_not_settled',
    );
    await on.sql('UPDATE invoices SET paid_at = now() WHERE id = $1', [id]);
    await useInThisMonth(acme);
    expect((await acme.admin.delete(acme.path)).body).toMatchObject({
      ...{ amount_usd: '1.00', invoiced_usd: '0.00', not_invoiced_usd: '1.00' },
    });
    await on.sql('UPDATE usage_months SET open = false');
    const [{ reference } = { reference: '' }] = await on.sql<{ reference: string }>(
      'SELECT reference FROM payment_methods WHERE tenant_id = $1',
      [acme.id],
    );
    expect((await acme.admin.delete(acme.path)).status).toBe(204);
    // its card is forgotten by the provider as well
    await eventually(() => expect(payments.emulator.state.methods[reference]?.customer).toBeNull());
  });
});
