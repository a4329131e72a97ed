import { eventually } from '@sluice/testing';
import { PaymentEmulator, type CardBehaviour } from '@sluice/payment-emulator';
import { testKeys } from '@sluice/payments/provider-config';
import type { MainApi } from './main-api.ts';
import type { TestTenant } from './tenants.ts';

/** The payment provider of a fixture, whose events go to its first replica. */
export class Payments {
  readonly #on: MainApi;
  readonly emulator = new PaymentEmulator({ webhookSecret: testKeys.webhookSecret });

  constructor(on: MainApi) {
    this.#on = on;
    on.beforeStart(async () => {
      await this.emulator.open();
      on.environment['PAYMENT_PROVIDER'] = 'test';
      on.environment['PAYMENT_TEST_URL'] = this.emulator.url;
    });
    on.onOpen(() => this.deliver());
    on.onClose(() => this.emulator.close());
  }

  get webhook(): string {
    return `${this.#on.replica().url}/billing/webhooks/test`;
  }

  /** Has the events of the provider delivered, or lost. */
  deliver(isDelivered = true): void {
    this.emulator.sendTo(isDelivered ? this.webhook : 'http://127.0.0.1:1/');
  }

  /** Saves a card of a tenant on a page of the provider. */
  async saveCard(tenant: TestTenant, behaviour: CardBehaviour = 'charged'): Promise<void> {
    const { status, body } = await tenant.admin.post(`${tenant.path}/billing/payments/intents`);
    expect(status).toBe(201);
    await this.emulator.choose(String(body['url']), behaviour);
    await eventually(async () => {
      const open = await this.#on.sql('SELECT FROM payment_intents WHERE id = $1 AND ended_at IS NULL', [
        body['id'],
      ]);
      expect(open).toEqual([]);
    });
  }

  /** What the provider has charged a tenant's cards with. */
  chargesOf(invoiceId: number) {
    return Object.values(this.emulator.state.charges).filter(
      ({ metadata }) => metadata['sluice_invoice'] === String(invoiceId),
    );
  }

  /** Issues an invoice, of another month each time. @returns its id */
  async invoice(tenant: TestTenant, total: string, due = '2100-01-01'): Promise<number> {
    const [row] = await this.#on.sql<{ id: number }>(
      `INSERT INTO invoices (tenant_id, number, reference, month, currency, subtotal, discount, credit, tax, total,
         tax_rule, tax_country, tax_rate, seller, customer, missing, issued_at, due_at)
       SELECT $1, n, 'T-' || n, '2020-01-01'::timestamptz + make_interval(months => n::int), 'USD', $2, 0, 0, 0, $2,
         'outside', 'US', 0, '{}', '{}', '[]', now(), $3
       FROM (SELECT coalesce(max(number), 0) + 1 AS n FROM invoices) last RETURNING id`,
      [tenant.id, total, due],
    );
    return row?.id ?? 0;
  }

  /** Has what is to be collected of an invoice looked at now. */
  async collect(invoiceId: number, tenant: TestTenant): Promise<void> {
    await this.#on.sql(
      `INSERT INTO payment_work (kind, subject, tenant_id, due_at) VALUES ('invoice', $1, $2, '2000-01-01')
       ON CONFLICT (kind, subject) DO UPDATE SET due_at = '2000-01-01', requests = payment_work.requests + 1`,
      [String(invoiceId), tenant.id],
    );
  }
}
