import { idOf, priceTermsOf, tenantIdSchema, topology, type TenantId } from '@sluice/contracts';
import { createLog, databaseUrl, readConfig } from '@sluice/service';
import { loadCatalogue } from '@sluice/catalogue/catalogue';
import { PriceBook } from '@sluice/catalogue/price-book';
import { mainApiEnvironment } from './config.ts';
import { openDataSource } from './data-source.ts';
import { databaseOf } from '@sluice/main-store/database';
import { offlineUnitOfWork } from '@sluice/grant-publication/publication/offline-work';
import { agree, agreementSchema } from './features/organization/subscription/agreement.ts';
import { insertFirstPriceList, loadPriceLists } from '@sluice/main-store/price-lists.store';

/**
 * `node services/main-api/src/set-plan-overrides.ts <tenant id> '{"members_limit": 5000}'`, with the `DATABASE_URL`, the `NATS_NAMESPACE` and
 * the `CATALOGUE_FILE` of main-api: says all that was agreed with a tenant on the plan enterprise in place of the plan's
 * values; `{}` for nothing. It is in force at once, and main-api sends it to the regions. Prints the tenant's features as JSON.
 */

const log = createLog('agree', 'error', 'stderr');

async function run([tenantId, agreed = '']: string[]): Promise<string> {
  const environment = readConfig(
    mainApiEnvironment.pick({
      DATABASE_URL: true,
      DATABASE_TLS_CA_FILE: true,
      NATS_NAMESPACE: true,
      CATALOGUE_FILE: true,
    }),
  );
  const catalogue = await loadCatalogue(environment.CATALOGUE_FILE);
  const tenant = idOf<TenantId>(tenantIdSchema.parse(Number(tenantId)));
  const agreement = agreementSchema.parse(JSON.parse(agreed));
  const dataSource = await openDataSource(databaseUrl(environment), 1, log);
  try {
    const work = offlineUnitOfWork(dataSource, topology(environment.NATS_NAMESPACE));
    const database = databaseOf(dataSource.manager);
    await insertFirstPriceList(database, priceTermsOf(catalogue));
    const prices = await PriceBook.open(
      () => loadPriceLists(database),
      () => new Date(),
    );
    return JSON.stringify(await agree({ work, catalogue, prices }, tenant, agreement));
  } finally {
    await dataSource.destroy();
  }
}

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
