import type { StackDatabases } from '@sluice/testing';

/** An invoice of January 2020: an hour that cost 10 dollars, and its tax. Its lines come first: an issued one gets no more. */
export async function insertInvoice(databases: StackDatabases, tenant: number): Promise<void> {
  const parts = 'compute, storage, network, telemetry, data_retention';
  const fields = ['name', 'address', 'city', 'state', 'postal_code', 'tax_id', 'email', 'phone'];
  const customer = {
    ...Object.fromEntries(fields.map((field) => [field, null])),
    company: 'Acme Ltd',
    country: 'DE',
  };
  // without parameters this is one transaction
  await databases.query(
    'main_api',
    `INSERT INTO billed_deployments (id, uid, deployment_id, tenant_id, division_id, environment_id, name, division_name,
         environment_name, cloud, region) OVERRIDING SYSTEM VALUE
       VALUES (9000, gen_random_uuid(), 1, ${tenant}, 1, 1, 'orders', 'payments', 'prod', 'cloud_a', 'us-east-1');
       INSERT INTO usage_intervals (billed_id, started_at, ended_at, ${parts}, tier, nodes, storage_type)
       VALUES (9000, '2020-01-01Z', '2020-01-01T01:00Z', 730000, 0, 0, 0, 0, 'small', 1, 'network_balanced');
       INSERT INTO usage_months (billed_id, month, closings, open) VALUES (9000, '2020-01-01Z', 1, false);
       INSERT INTO invoice_lines (invoice_id, n, kind, amount, percent) VALUES (9000, 2, 'tax', 1.9, 19);
       INSERT INTO invoice_lines (invoice_id, n, kind, month, amount, billed_id, closing, deployment_id, name, division_id,
         division_name, environment_id, environment_name, cloud, region, seconds, ${parts})
       VALUES (9000, 1, 'usage', '2020-01-01Z', 10, 9000, 0, 1, 'orders', 1, 'payments', 1, 'prod', 'cloud_a', 'us-east-1',
         3600, 730000::numeric * 3600, 0, 0, 0, 0);
       INSERT INTO invoices (id, tenant_id, number, reference, month, currency, subtotal, discount, credit, tax, total, tax_rule,
         tax_country, tax_rate, seller, customer, missing, issued_at, due_at)
       VALUES (9000, ${tenant}, 1, 'INV-000001', '2020-01-01Z', 'USD', 10, 0, 0, 1.9, 11.9, 'domestic', 'DE', 19,
         '{"name": "Sluice", "address": ["Here"], "country": "DE", "footer": []}', '${JSON.stringify(customer)}',
         '[]', '2020-02-01Z', '2020-03-01Z')`,
  );
}
