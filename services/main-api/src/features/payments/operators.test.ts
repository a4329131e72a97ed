import { runAdmin } from '@sluice/admin';
import { eventually } from '@sluice/testing';
import { deploymentsOf, idOf, small } from '#test/deployments.ts';
import { mainApi, refusal } from '#test/main-api.ts';
import { Payments } from '#test/payments.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ environment: { PAYMENT_REQUIRED: 'true' } });
const payments = new Payments(on);
const region = on.region();
const a = on.tenants();

const admin = (...args: (string | number)[]) => runAdmin(['billing', ...args.map(String)], on.environment);
const method = async ({ admin, path }: TestTenant) => await admin.get(`${path}/billing/payments/method`);

test('an agreement with a tenant replaces its card, and ends', async () => {
  const acme = await a.tenant();
  await payments.saveCard(acme);
  expect(await admin('agreement', 'set', acme.id, '--term', 14, '--dry-run')).toContain('It would be so:');
  expect((await method(acme)).body['kind']).toBe('card');
  expect(await admin('agreement', 'set', acme.id, '--term', 14)).toContain('pays invoices within 14 days');
  expect((await method(acme)).body).toMatchObject({ kind: 'agreement', term_days: 14 });
  expect((await acme.admin.get(acme.path)).body['has_payment_method']).toBe(true);
  await eventually(() =>
    expect(Object.values(payments.emulator.state.methods).map(({ customer }) => customer)).toEqual([null]),
  );
  expect(await admin('agreement', 'end', acme.id)).toContain('has no agreement any more');
  expect(refusal(await method(acme))).toBe('404 not_found');
  await expect(admin('agreement', 'end', acme.id)).rejects.toThrow('has no agreement');
  await expect(admin('agreement', 'set', acme.id)).rejects.toThrow('--term');
  await expect(admin('agreement', 'set', 999_999, '--term', 1)).rejects.toThrow('There is no tenant 999999.');
  const recorded = () => region.eventsOf('payment_method_deleted', { tenant_id: acme.id });
  await eventually(() => expect(recorded()).toMatchObject([{ author: null, data: { kind: 'agreement' } }]), {
    timeoutMs: 45_000,
  });
}, 60_000);

test('an invoice is marked as paid once, and not while it is charged', async () => {
  const acme = await a.tenant();
  const id = await payments.invoice(acme, '12.00');
  const [{ reference } = { reference: '' }] = await on.sql<{ reference: string }>(
    'SELECT reference FROM invoices WHERE id = $1',
    [id],
  );
  await on.sql(
    `INSERT INTO payment_charges (id, tenant_id, invoice_id, attempt, provider, customer, method, created_at)
     VALUES (gen_random_uuid(), $1, $2, 1, 'test', 'cus', 'pm', now())`,
    [acme.id, id],
  );
  await expect(admin('paid', reference)).rejects.toThrow('A charge of invoice');
  await on.sql("UPDATE payment_charges SET status = 'failed' WHERE invoice_id = $1", [id]);
  expect(await admin('paid', reference, '--dry-run')).toContain('It would be so:');
  expect(await admin('paid', reference)).toContain('$12.00, is paid by transfer');
  expect(await admin('paid', reference)).toContain('nothing is changed');
  await expect(admin('paid', 'X-1')).rejects.toThrow('There is no invoice X-1.');
});

test('a suspended tenant has its deployments stopped and creates none, until it is resumed', async () => {
  const acme = await a.tenant();
  await payments.saveCard(acme);
  const list = await deploymentsOf(acme);
  const made = await acme.admin.post(`${list}/managed`, small);
  const shape = async () => (await region.shape(idOf(made))).deployment.suspended;
  expect(await shape()).toBe(false);
  await expect(admin('suspend', acme.id)).rejects.toThrow('--reason');
  expect(await admin('suspend', acme.id, '--reason', 'unpaid', '--dry-run')).toContain('It would be so:');
  expect(await admin('suspend', acme.id, '--reason', 'unpaid')).toContain('Its deployments are stopped.');
  await eventually(async () => expect(await shape()).toBe(true));
  const refused = await acme.admin.post(`${list}/managed`, { ...small, name: 'second' });
  expect(refusal(refused)).toBe('409 tenant_suspended');
  expect(refused.body['detail']).toContain('unpaid');
  expect(await admin('suspend', acme.id, '--reason', 'again')).toContain('nothing is changed');
  expect(await admin('resume', acme.id)).toContain('Its deployments start again.');
  await eventually(async () => expect(await shape()).toBe(false));
  expect((await acme.admin.post(`${list}/managed`, { ...small, name: 'second' })).status).toBe(202);
  await eventually(() => {
    const types = ['tenant_suspended', 'tenant_resumed'] as const;
    expect(types.map((type) => region.eventsOf(type, { tenant_id: acme.id }).length)).toEqual([1, 1]);
  });
});
