import { randomUUID } from 'node:crypto';
import { client, eventually } from '@sluice/testing';
import { deploymentsOf, small } from '#test/deployments.ts';
import { mainApi, refusal, sendTwice } from '#test/main-api.ts';
import { Payments } from '#test/payments.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ environment: { PAYMENT_REQUIRED: 'true' } });
const payments = new Payments(on);
const region = on.region();
const a = on.tenants();

const intents = ({ path }: TestTenant) => `${path}/billing/payments/intents`;
const method = ({ path }: TestTenant) => `${path}/billing/payments/method`;
const taken = async () => (await on.sql<{ count: number }>('SELECT count(*) FROM payment_events'))[0]?.count;
const post = (body: string, headers: Record<string, string>, url = payments.webhook) =>
  fetch(url, { method: 'POST', body, headers });
const aSession = (intent: string) => ({
  id: 'cs_1',
  object: 'checkout.session',
  metadata: { sluice_intent: intent },
});

describe('a payment intent', () => {
  test('leads to a page; the card that is chosen there becomes the payment method', async () => {
    const acme = await a.tenant();
    expect(refusal(await acme.admin.get(method(acme)))).toBe('404 not_found');
    const opened = await acme.admin.post(intents(acme));
    expect(opened).toMatchObject({
      status: 201,
      body: { id: expect.any(String) as string, expires_at: expect.any(String) as string },
    });
    const page = await fetch(String(opened.body['url']));
    expect(await page.text()).toContain('Nothing is charged');
    await payments.emulator.choose(String(opened.body['url']), 'charged');
    await eventually(async () =>
      expect((await acme.admin.get(method(acme))).body).toMatchObject({
        ...{ kind: 'card', term_days: null, valid: true },
        card: { brand: 'visa', last4: '4242', exp_month: 12 },
      }),
    );
    expect((await acme.admin.get(acme.path)).body['has_payment_method']).toBe(true);
    await eventually(() =>
      expect(
        region.events.flatMap(({ tenant_id, type }) =>
          tenant_id === acme.id && type.startsWith('payment_') ? [type] : [],
        ),
      ).toEqual(['payment_intent_created', 'payment_method_updated']),
    );
  });

  test('of a second card replaces the first, which the provider forgets', async () => {
    const acme = await a.tenant();
    const reference = async () =>
      (
        await on.sql<{ reference: string }>('SELECT reference FROM payment_methods WHERE tenant_id = $1', [
          acme.id,
        ])
      )[0]?.reference ?? '';
    await payments.saveCard(acme);
    const first = await reference();
    await payments.saveCard(acme);
    expect(await reference()).not.toBe(first);
    await eventually(() => expect(payments.emulator.state.methods[first]?.customer).toBeNull());
  });

  test('whose event is lost is found by a look', async () => {
    const acme = await a.tenant();
    payments.deliver(false);
    const { body } = await acme.admin.post(intents(acme));
    await payments.emulator.choose(String(body['url']), 'charged');
    payments.deliver();
    await on.sql("UPDATE payment_work SET due_at = '2000-01-01' WHERE kind = 'intent' AND subject = $1", [
      body['id'],
    ]);
    await eventually(async () => expect((await acme.admin.get(method(acme))).status).toBe(200));
  });

  test('is opened once for an idempotency key, and at most five are open', async () => {
    const acme = await a.tenant();
    await sendTwice(acme.admin, 'POST', intents(acme));
    const answers = await acme.race((caller) => caller.post(intents(acme)), 6);
    expect(answers.sort()).toEqual([
      ...Array<string>(4).fill('201'),
      ...Array<string>(2).fill('409 too_many_payment_intents'),
    ]);
  });

  test('is for those who manage billing, and not for a tenant with an agreement', async () => {
    const acme = await a.tenant();
    const reader = await acme.member({ tenant: ['billing:read'] });
    expect(refusal(await reader.post(intents(acme)))).toBe('403 forbidden');
    expect(refusal(await reader.delete(method(acme)))).toBe('403 forbidden');
    const other = await a.tenant();
    expect(refusal(await other.admin.get(method(acme)))).toMatch(/^40[34] /);
    await on.sql("INSERT INTO payment_methods (tenant_id, kind, term_days) VALUES ($1, 'invoice', 14)", [
      acme.id,
    ]);
    expect((await reader.get(method(acme))).body).toEqual({
      kind: 'agreement',
      card: null,
      term_days: 14,
      valid: true,
    });
    expect(refusal(await acme.admin.post(intents(acme)))).toBe('409 state_conflict');
    expect(refusal(await acme.admin.delete(method(acme)))).toBe('409 state_conflict');
  });
});

describe('a payment method', () => {
  test('is deleted, unless a deployment needs it', async () => {
    const acme = await a.tenant();
    expect(refusal(await acme.admin.delete(method(acme)))).toBe('404 not_found');
    await payments.saveCard(acme);
    const list = await deploymentsOf(acme);
    expect((await acme.admin.post(`${list}/managed`, small)).status).toBe(202);
    expect(refusal(await acme.admin.delete(method(acme)))).toBe('409 has_deployments');
    const other = await a.tenant();
    await payments.saveCard(other);
    expect((await other.admin.delete(method(other))).status).toBe(204);
    expect(refusal(await other.admin.get(method(other)))).toBe('404 not_found');
  });

  test('that the provider has detached is not valid any more', async () => {
    const acme = await a.tenant();
    await payments.saveCard(acme);
    const [{ reference } = { reference: '' }] = await on.sql<{ reference: string }>(
      'SELECT reference FROM payment_methods WHERE tenant_id = $1',
      [acme.id],
    );
    const card = payments.emulator.state.methods[reference];
    if (card) card.customer = null;
    const { body, headers } = payments.emulator.event('payment_method.detached', { id: reference });
    expect((await post(body, headers)).status).toBe(204);
    await eventually(async () => expect((await acme.admin.get(method(acme))).body['valid']).toBe(false));
    expect((await acme.admin.get(acme.path)).body['has_payment_method']).toBe(false);
  });
});

describe('a webhook', () => {
  test('with a wrong signature, or too old, is refused and counted', async () => {
    const { body, headers } = payments.emulator.event('checkout.session.completed', aSession(randomUUID()));
    const before = await taken();
    const refused = async (sent: string, given: Record<string, string>) => {
      const answer = await post(sent, given);
      return `${answer.status} ${String(((await answer.json()) as { code: string }).code)}`;
    };
    expect(await refused(`${body} `, headers)).toBe('400 signature_invalid');
    expect(await refused(body, {})).toBe('400 signature_invalid');
    expect(
      await refused(body, { 'stripe-signature': headers['stripe-signature'].replace('v1=', 'v1=0') }),
    ).toBe('400 signature_invalid');
    const old = payments.emulator.event('x.y', {}, 'evt_old', new Date(Date.now() - 600_000));
    expect(await refused(old.body, old.headers)).toBe('400 signature_invalid');
    expect(await refused('x'.repeat(300_000), headers)).toBe('413 payload_too_large');
    expect(await taken()).toBe(before);
    const metrics = await (await fetch(`${on.replica().url}/metrics`)).text();
    expect(metrics).toMatch(/^sluice_payment_webhooks_total\{outcome="refused"\} [4-9]$/m);
  });

  test('of another provider is no path, and is not read', async () => {
    expect((await client(on.replica().url).post('/billing/webhooks/stripe', {})).status).toBe(404);
    expect((await fetch(payments.webhook)).status).toBe(405);
  });

  test('is taken once, however often and wherever it comes', async () => {
    const { body, headers } = payments.emulator.event('invoice.created', { id: 'in_1' });
    const before = Number(await taken());
    const second = `${on.replica(1).url}/billing/webhooks/test`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => post(body, headers, n % 2 ? second : payments.webhook)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(Number(await taken())).toBe(before + 1);
  });

  test('is not believed: what it says is looked up, and an older one that comes later changes nothing', async () => {
    const acme = await a.tenant();
    const { body: intent } = await acme.admin.post(intents(acme));
    const forged = payments.emulator.event('checkout.session.completed', aSession(String(intent['id'])));
    expect((await post(forged.body, forged.headers)).status).toBe(204);
    await eventually(async () => {
      const [work] = await on.sql<{ due: boolean }>(
        "SELECT due_at > now() AND leased_until IS NULL AS due FROM payment_work WHERE kind = 'intent' AND subject = $1",
        [intent['id']],
      );
      expect(work?.due).toBe(true);
    });
    expect(refusal(await acme.admin.get(method(acme)))).toBe('404 not_found');
    await payments.emulator.choose(String(intent['url']), 'charged');
    await eventually(async () => expect((await acme.admin.get(method(acme))).status).toBe(200));
    const late = payments.emulator.event('checkout.session.expired', aSession(String(intent['id'])));
    expect((await post(late.body, late.headers)).status).toBe(204);
    expect((await acme.admin.get(method(acme))).status).toBe(200);
  });

  test('a thousand at once are taken', async () => {
    const before = Number(await taken());
    const events = Array.from({ length: 1_000 }, () =>
      payments.emulator.event('payment_intent.succeeded', { metadata: {} }),
    );
    const answers = await Promise.all(events.map(({ body, headers }) => post(body, headers)));
    expect(answers.filter(({ status }) => status !== 204).map(({ status }) => status)).toEqual([]);
    expect(Number(await taken())).toBe(before + 1_000);
  }, 60_000);
});
