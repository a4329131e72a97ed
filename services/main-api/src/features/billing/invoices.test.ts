import { runAdmin } from '@sluice/admin';
import { eventually } from '@sluice/testing';
import { at, invoiceSettings, invoicing } from '#test/invoicing.ts';
import { mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

let clock = new Date('2026-03-20T12:00:00Z');
const on = mainApi({ replicas: 1, clock: () => clock, environment: invoiceSettings });
const region = on.region();
const a = on.tenants();
const { aDeployment, close, reported } = invoicing(on, region);

interface Invoice {
  id: number;
  reference: string;
  lines: { n: number; kind: string; amount_usd: string }[];
}

/** A tenant with an invoice of March. */
async function invoiced(): Promise<{ acme: TestTenant; path: string; invoice: Invoice }> {
  const acme = await a.tenant();
  await acme.admin.put(`${acme.path}/billing/info`, {
    company: 'Εταιρεία Α.Ε.',
    country: 'GR',
    tax_id: 'EL1',
  });
  const { used } = await aDeployment(acme);
  await used('03-10T00:00:00', '03-10T00:10:00');
  await used('03-11T00:00:00', '03-11T00:10:00');
  clock = new Date(at('04-01T00:00:00'));
  await reported('04-01T00:00:00');
  await close();
  const { items } = (await acme.admin.get(`${acme.path}/billing/invoices`)).body as unknown as {
    items: { id: number }[];
  };
  const path = `${acme.path}/billing/invoices/${items[0]?.id}`;
  return { acme, path, invoice: (await acme.admin.get(path)).body as unknown as Invoice };
}

test('an invoice is shown with its lines, whose sum is the total', async () => {
  const { acme, path, invoice } = await invoiced();
  expect((await acme.admin.get(`${acme.path}/billing/invoices`)).body).toMatchObject({
    total_results: 1,
    items: [{ id: invoice.id, total_usd: '36.00', from: at('03-01T00:00:00.000'), paid_at: null }],
  });
  expect(invoice).toMatchObject({
    ...{
      subtotal_usd: '36.00',
      discount_usd: '0.00',
      credit_usd: '0.00',
      tax_usd: '0.00',
      total_usd: '36.00',
    },
    tax: { rule: 'reverse_charge', country: 'GR', rate: '0.00' },
    customer: { company: 'Εταιρεία Α.Ε.', tax_id: 'EL1', name: null },
    seller: { name: 'Sluice GmbH' },
    lines: [
      {
        ...{ n: 1, kind: 'usage', amount_usd: '36.00', seconds: 1200, division: { id: acme.division } },
        breakdown: { compute_usd: '24.000000', storage_usd: '12.000000', network_usd: '0.000000' },
      },
      { n: 2, kind: 'tax', amount_usd: '0.00', percent: '0.00' },
    ],
  });
  expect((await acme.admin.get(`${path}/lines/1/intervals?results=1&page=2`)).body).toMatchObject({
    total_results: 2,
    items: [
      {
        ...{ from: at('03-11T00:00:00.000'), seconds: 600, total_usd: '18.000000' },
        month: { compute_usd: '52560.000000', storage_usd: '26280.000000' },
      },
    ],
  });
  expect((await acme.admin.get(`${path}/lines/2/intervals`)).body).toMatchObject({ total_results: 0 });
});

test('of many lines the first ones stand in the invoice, and all are listed', async () => {
  const { acme, path, invoice } = await invoiced();
  await on.sql(`BEGIN;
    INSERT INTO invoice_lines (invoice_id, n, kind, amount) SELECT 1000, n, 'credit', -0.01 FROM generate_series(1, 1200) n;
    INSERT INTO invoices SELECT (jsonb_populate_record(i, '{"id": 1000, "number": 1000, "reference": "INV-1000", "month": "2026-02-01T00:00:00Z"}')).*
    FROM invoices i WHERE id = ${invoice.id};
    COMMIT`);
  const many = `${acme.path}/billing/invoices/1000`;
  const { body } = await acme.admin.get(many);
  expect(body).toMatchObject({ line_count: 1200 });
  expect((body as unknown as Invoice).lines.map(({ n }) => n)).toEqual(
    Array.from({ length: 1000 }, (_, position) => position + 1),
  );
  expect((await acme.admin.get(`${many}/lines?page=12&results=100`)).body).toMatchObject({
    total_results: 1200,
    items: Array.from({ length: 100 }, (_, position) => ({ n: 1101 + position, amount_usd: '-0.01' })),
  });
  expect((await acme.admin.get(`${path}/lines`)).body).toMatchObject({
    total_results: 2,
    items: invoice.lines,
  });
});

test('its PDF is the same each time', async () => {
  const { acme, path, invoice } = await invoiced();
  const url = `${on.replica().url}${path}/pdf`;
  const get = () => fetch(url, { headers: { 'svc-api-key': acme.key } });
  const answer = await get();
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${invoice.reference}.pdf"`);
  const pdf = Buffer.from(await answer.arrayBuffer());
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.subarray(-6).toString().trim()).toBe('%%EOF');
  expect(Buffer.from(await (await get()).arrayBuffer()).equals(pdf)).toBe(true);
});

test('invoices of another tenant are not found, and need billing:read', async () => {
  const { acme, path, invoice } = await invoiced();
  const other = await a.tenant();
  const stranger = await acme.with({ tenant: ['info:read'] });
  const reader = await acme.with({ tenant: ['billing:read'] });
  for (const what of ['', '/pdf', '/lines', '/lines/1/intervals']) {
    const theirs = `${other.path}/billing/invoices/${invoice.id}${what}`;
    expect(refusal(await other.admin.get(theirs))).toBe('404 not_found');
    expect(refusal(await stranger.get(`${path}${what}`))).toBe('403 forbidden');
    expect(refusal(await acme.admin.get(`${acme.path}/billing/invoices/999999${what}`))).toBe(
      '404 not_found',
    );
  }
  expect((await reader.get(path)).status).toBe(200);
  expect(refusal(await acme.admin.get(`${path}/lines/99/intervals`))).toBe('404 not_found');
  expect(refusal(await acme.admin.get(`${acme.path}/billing/invoices/0`))).toBe('404 not_found');
});

describe('sluice-admin billing', () => {
  const admin = (...args: string[]) => runAdmin(['billing', ...args], on.environment);

  test('gives credits, lists them and takes back what is left, with entries in the audit log', async () => {
    const acme = await a.tenant();
    const id = String(acme.id);
    const given = ['credit', 'give', id, '25.50', '--expires', '2026-12-31', '--reason', 'sorry'];
    expect(await admin(...given, '--dry-run')).toContain('would get a credit of 25.50 USD');
    expect(await admin('credit', 'list', id)).toBe('There are none.');
    expect(await admin(...given)).toMatch(
      /gets a credit of 25\.50 USD, which expires at 2027-01-01T00:00:00/,
    );
    const [, number = ''] = /credit (\d+)/.exec(await admin(...given)) ?? [];
    expect(await admin('credit', 'withdraw', number)).toContain('25.50 USD are withdrawn');
    await expect(admin('credit', 'withdraw', number)).rejects.toThrow('is withdrawn already');
    expect(await admin('credit', 'list', id)).toMatch(
      /25\.50 +25\.50 +2027-01-01T00:00:00.000Z +- +sorry\n.*25\.50 .*sorry/,
    );
    await eventually(() => {
      expect(region.eventsOf('credit_given', { tenant_id: acme.id })).toHaveLength(2);
      expect(region.eventsOf('credit_withdrawn', { tenant_id: acme.id })).toMatchObject([
        { data: { amount_usd: '25.50', reason: 'sorry' } },
      ]);
    });
  });

  test.each([
    [['credit', 'give', '999999', '5', '--reason', 'x'], 'There is no tenant 999999'],
    [['credit', 'give', '1', '-5', '--reason', 'x'], /'-5'|amount/],
    [['credit', 'give', '1', '5.123', '--reason', 'x'], 'at most two digits'],
    [['credit', 'give', '1', '1000000001', '--reason', 'x'], 'at most two digits'],
    [['credit', 'give', '1', '5'], '--reason'],
    [['credit', 'give', '1', '5', '--reason', 'x', '--expires', '2020-01-01'], '--expires'],
    [['discount', 'give', '1', '100.5', '--from', '2030-01', '--reason', 'x'], 'from 0.01 to 100'],
    [['discount', 'give', '1', '10', '--from', '2030-13', '--reason', 'x'], 'It has to be a month'],
    [['close'], '--month'],
    [['close', '--month', '2099-01'], 'is not over'],
  ])('%j is refused', async (args, message) => {
    await expect(admin(...args)).rejects.toThrow(message);
  });

  test('gives a discount for whole months that have no invoice, and ends it', async () => {
    const { acme } = await invoiced();
    const id = String(acme.id);
    const give = (from: string) => admin('discount', 'give', id, '10', '--from', from, '--reason', 'loyal');
    await expect(give('2026-03')).rejects.toThrow('has an invoice of March 2026');
    expect(await give('2026-04')).toContain('10.00 %');
    await expect(give('2026-05')).rejects.toThrow('has a discount then');
    expect(await admin('discount', 'list', id)).toMatch(/10\.00 +2026-04-01T00:00:00\.000Z +- +loyal/);
    const [row] = await on.sql<{ id: number }>('SELECT id FROM discounts WHERE tenant_id = $1', [acme.id]);
    expect(await admin('discount', 'end', String(row?.id), '--from', '2026-06')).toContain('2026-06-01');
    await eventually(() => {
      expect(region.eventsOf('discount_given', { tenant_id: acme.id })).toHaveLength(1);
      expect(region.eventsOf('discount_ended', { tenant_id: acme.id })).toHaveLength(1);
    });
  });

  test('closes a month before its time, says before what it would issue, and exports invoices', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    await used('05-10T00:00:00', '05-10T00:10:00');
    clock = new Date(at('06-01T00:00:00'));
    expect(await admin('close', '--month', '2026-05', '--dry-run')).toMatch(/21\.42/);
    expect(await admin('close', '--month', '2026-05')).toMatch(/issued/);
    expect(await admin('export', '--month', '2026-05')).toMatch(
      /^reference,number,tenant_id,.*\nINV-\d+,\d+,\d+,2026-05,.*,18\.00,0\.00,0\.00,3\.42,21\.42,/,
    );
  });
});
