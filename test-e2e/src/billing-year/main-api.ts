import { readFile } from 'node:fs/promises';
import {
  idOf,
  priceTermsOf,
  topology,
  type DeploymentId,
  type DivisionId,
  type EnvironmentId,
  type Sender,
  type TenantId,
  type Tier,
} from '@sluice/contracts';
import type { UnitOfWork } from '@sluice/messaging';
import { createLog, createPool, migrate, moveSequencesOn, system, type Log } from '@sluice/service';
import { secretBox } from '@sluice/system/secrets';
import type { DataSource } from 'typeorm';
import { parse } from 'yaml';
import { loadCatalogue, type Catalogue } from '@sluice/catalogue/catalogue';
import { PriceBook } from '@sluice/catalogue/price-book';
import { migrations, openDataSource } from '../../../services/main-api/src/data-source.ts';
import { databaseOf, transactionsOf, type Database, type Transaction } from '@sluice/main-store/database';
import { closeDue } from '../../../services/main-api/src/features/billing/closing-job.ts';
import { usageService } from '../../../services/main-api/src/features/billing/usage.service.ts';
import { priceChangesJob } from '../../../services/main-api/src/features/regions/price-changes.ts';
import { handleReport } from '../../../services/main-api/src/features/regions/reports.ts';
import { sendShapes } from '../../../services/main-api/src/features/regions/shapes.ts';
import { insertUpgrade } from '@sluice/main-store/deployment-upgrades.store';
import {
  findDeployments,
  insertDeployment,
  insertNode,
  updateDeployment,
} from '@sluice/main-store/deployments.store';
import { insertFirstPriceList, loadPriceLists } from '@sluice/main-store/price-lists.store';
import { getTerms } from '@sluice/main-store/tenants.store';
import { insertPriceChange } from './agreements.ts';
import type { Databases } from './databases.ts';
import { faultyWork, persistently, type Kills } from './faulty-work.ts';
import type { NaivePrices } from './naive-prices.ts';
import type { Action, Plan, PlannedDeployment, PriceChange, Shape } from './plan.ts';
import type { Message } from './region.ts';

export const catalogueFile = new URL('../../../infra/catalogue.yaml', import.meta.url);
const log = createLog('billing-year', 'error');
// what faults make it say is expected
const quiet: Log = Object.assign(Object.create(log) as Log, {
  warn: () => undefined,
  error: () => undefined,
  info: () => undefined,
});
const secrets = secretBox(new Map([['year', new Uint8Array(32)]]));
const name = 'main_api';

export interface Made {
  id: DeploymentId;
  uid: string;
}

/** main-api: its database, and its own code on it; requests are played. */
export class MainApi {
  readonly #databases: Databases;
  readonly #plan: Plan;
  readonly #kills: Kills;
  #catalogue!: Catalogue;
  #file!: NaivePrices;
  #prices!: PriceBook;
  #source!: DataSource;
  #work!: UnitOfWork<Transaction>;
  #now = new Date(0);

  constructor(plan: Plan, databases: Databases, kills: Kills) {
    this.#plan = plan;
    this.#databases = databases;
    this.#kills = kills;
  }

  async make(): Promise<void> {
    this.#catalogue = await loadCatalogue(catalogueFile.pathname);
    this.#file = parse(await readFile(catalogueFile, 'utf8')) as NaivePrices;
    await this.#databases.make(name);
    const pool = createPool(this.#databases.url(name), 1, log);
    await migrate(pool, migrations);
    const ids = 'generate_series(1, $1::int) t';
    await pool.query(`INSERT INTO users (name, email) VALUES ('Ada', 'ada@example.com')`);
    for (const statement of [
      `INSERT INTO tenants (id, name, email, owner_id) OVERRIDING SYSTEM VALUE
       SELECT t, 'Tenant ' || t, t || '@example.com', (SELECT max(id) FROM users) FROM ${ids}`,
      `INSERT INTO subscriptions (tenant_id, plan) SELECT t, 'enterprise' FROM ${ids}`,
      `INSERT INTO divisions (id, tenant_id, name) OVERRIDING SYSTEM VALUE SELECT t, t, 'default' FROM ${ids}`,
      `INSERT INTO environments (id, tenant_id, division_id, name) OVERRIDING SYSTEM VALUE SELECT t, t, t, 'dev' FROM ${ids}`,
    ])
      await pool.query(statement, [this.#plan.tenants]);
    await pool.end();
    await this.#open();
  }

  async #open(): Promise<void> {
    this.#source = await openDataSource(this.#databases.url(name), 4, log);
    const transaction = transactionsOf(this.#source);
    const options = { topology: topology('year'), sender: 'main-api' as Sender, now: () => this.#now };
    // grants are not part of this
    this.#work = faultyWork({ ...options, transaction } as never, this.#kills) as UnitOfWork<Transaction>;
    await insertFirstPriceList(this.database, priceTermsOf(this.#catalogue));
    this.#prices = await PriceBook.open(
      () => loadPriceLists(this.database),
      () => this.#now,
    );
  }

  close = () => this.#source.destroy();

  set time(at: number) {
    this.#now = new Date(at * 1000);
  }

  async copy(): Promise<void> {
    await this.close();
    await this.#databases.copy(name, `${name}_copy`);
    await this.#open();
  }

  async restore(): Promise<void> {
    await this.close();
    await this.#databases.copy(`${name}_copy`, name);
    await this.#open();
    await moveSequencesOn(this.database);
  }

  get database(): Database {
    return databaseOf(this.#source.manager);
  }

  get usage() {
    return usageService({ database: this.database, prices: this.#prices, now: () => this.#now });
  }

  /** Issues the invoices that are due, by two replicas at once. */
  async invoice(): Promise<void> {
    const core = {
      ...{ work: this.#work, database: this.database, now: () => this.#now, mailCipher: secrets },
      consoleUrl: 'https://console.example',
    };
    const seller = { name: 'Sluice', address: ['Here'], country: 'DE', footer: [] };
    const terms = { seller, vatRates: {}, prefix: 'Y-', termDays: 14, leastCharge: '0' };
    const once = () => closeDue(core, terms, quiet);
    // what a killed replica leaves is issued by the next one
    while ((await Promise.all([once(), once()])).some(({ failed }) => failed.size > 0));
  }

  /** What lines of these kinds come to for each month, by tenant: cents. */
  async invoiced(kinds: string[]) {
    const rows = await this.database.query<{ tenant_id: number; month: Date; cents: string }>(
      `SELECT i.tenant_id, l.month, abs(sum(l.amount * 100))::bigint::text AS cents FROM invoices i
       JOIN invoice_lines l ON l.invoice_id = i.id WHERE l.kind = ANY ($1) GROUP BY 1, 2`,
      [kinds],
    );
    return new Map(
      rows.map(({ tenant_id, month, cents }) => [`${tenant_id} ${month.toISOString()}`, BigInt(cents)]),
    );
  }

  /** The invoices of a tenant, in cents: without credits, their credits, and what is to pay. */
  invoices = (tenantId: number) =>
    this.database.query<
      Record<'number' | 'net' | 'credit' | 'total', string> & Record<'month' | 'issued_at', Date>
    >(
      `SELECT number, month, issued_at, ((subtotal - discount) * 100)::bigint::text AS net,
         (credit * 100)::bigint::text AS credit, ((total - tax) * 100)::bigint::text AS total
       FROM invoices WHERE tenant_id = $1 ORDER BY number`,
      [tenantId],
    );

  /** Publishes a list, and has it sent. */
  async publish(change: PriceChange): Promise<void> {
    await insertPriceChange(this.database, this.#plan, this.#file, change);
    const job = priceChangesJob({ work: this.#work, ...this.#core, log: quiet });
    await persistently(async () => job.run(new AbortController().signal));
  }

  #change = <T>(change: (tx: Transaction) => Promise<T>) => persistently(() => this.#work(system, change));

  /** Makes a deployment, once. */
  create(
    { key, tenant, region }: PlannedDeployment,
    action: Extract<Action, { do: 'create' }>,
  ): Promise<Made> {
    const { shape, isCluster, limit } = action;
    const code = key.toString(16).padStart(7, '0');
    return this.#change(async (tx) => {
      const [known] = await tx.query<Made>('SELECT id, uid FROM deployments WHERE code = $1', [code]);
      if (known) return known;
      const [id, place] = [tenant + 1, this.#plan.regions[region]!];
      const made = await insertDeployment(tx, {
        ...{ tenant_id: idOf<TenantId>(id), division_id: idOf<DivisionId>(id) },
        ...{ environment_id: idOf<EnvironmentId>(id), name: `orders-${key}`, code, domain: null, labels: {} },
        ...{ protected: false, variant: 'managed', cloud_access: null, ...place, area: 'us' },
        ...{ cluster: isCluster ? 'cluster' : 'standalone', encrypted: false, target_network_tput: null },
        ...{
          availability_mode: 'single_az',
          dedicated: false,
          public_ip_enabled: true,
          subdomain_enabled: true,
        },
        ...{ tier: shape.tier as Tier, telemetry_days: shape.telemetryDays, spend_limit: limit },
        ...{ storage_type: shape.storageType, storage_size: shape.storageSize },
        price_revision: this.#prices.revision,
      });
      if (!made) throw new Error(`the code ${code} is taken`);
      for (let node = 1; node <= shape.nodes; node++) await this.#addNode(tx, made.id, node, shape);
      await sendShapes(tx, system.cause, this.#core, await getTerms(tx, made.tenant_id), { id: made.id });
      return { id: made.id, uid: made.uid };
    });
  }

  get #core() {
    return { catalogue: this.#catalogue, prices: this.#prices };
  }

  #addNode = (tx: Transaction, id: DeploymentId, node: number, { storageType }: Pick<Shape, 'storageType'>) =>
    insertNode(tx, {
      ...{ deployment_id: id, name: `node-${node}`, image_id: 'image', instance: 'instance' },
      storage_type: storageType,
    });

  /** Changes a deployment as a request does. @returns whether there was anything to change */
  change = (id: DeploymentId, action: Extract<Action, { do: 'upgrade' | 'extend' | 'limit' | 'delete' }>) =>
    this.#change(async (tx): Promise<boolean> => {
      const [deployment] = await findDeployments(tx, [id]);
      if (!deployment || deployment.delete_requested_at) return false;
      const { tenant_id, nodes, tier, storage_type, storage_size } = deployment;
      const before = {
        from_tier: tier,
        storage_type,
        from_storage_size: storage_size,
        nodes_before: nodes.length,
      };
      const asked = { deployment_id: id, ...before, correlation_id: null };
      if (action.do === 'delete') {
        await tx.query(`UPDATE deployments SET status = 'deleting', delete_requested_at = $2 WHERE id = $1`, [
          id,
          this.#now,
        ]);
        tx.command(deployment, 'deployment_delete', {
          deployment_id: id,
          uid: deployment.uid,
          cause: system.cause,
        });
        return true;
      }
      if (action.do === 'limit') {
        if (deployment.spend_limit === action.limit) return false;
        await updateDeployment(tx, id, { spend_limit: action.limit });
      } else {
        if (tier === 'free' || deployment.upgrade) return deployment.upgrade !== null;
        const wanted = action.do === 'upgrade' ? action : { tier, storageSize: storage_size ?? 0 };
        const nodes_after = action.do === 'extend' ? Math.max(action.nodes, nodes.length) : nodes.length;
        if (action.do === 'extend' && nodes_after === nodes.length) return false;
        for (let node = nodes.length + 1; node <= nodes_after; node++)
          await this.#addNode(tx, id, node, { storageType: storage_type });
        await insertUpgrade(tx, {
          ...{ ...asked, to_tier: wanted.tier as Tier, nodes_after },
          to_storage_size: Math.max(wanted.storageSize, storage_size ?? 0),
        });
      }
      await sendShapes(tx, system.cause, this.#core, await getTerms(tx, tenant_id), { id });
      return true;
    });

  /** Takes in a report of a region. */
  async take(sender: Sender, payload: string): Promise<void> {
    const dependencies = {
      ...{ ...this.#core, eventsStream: 'year-events', log: quiet, found: { inc: () => undefined } },
      ...{ secrets, mailCipher: secrets },
    };
    const report = JSON.parse(payload) as never;
    await this.#change((tx) => handleReport(dependencies as never, report, tx, sender));
  }

  async commands(): Promise<Message[]> {
    const rows = await this.database.query<Message & { id: number }>(
      'WITH sent AS (DELETE FROM outbox RETURNING *) SELECT id, subject, payload FROM sent ORDER BY id',
    );
    return rows.filter(({ subject }) => subject.includes('.commands.'));
  }

  /** Deployments that main-api has, by id. */
  async known(): Promise<Set<DeploymentId>> {
    const rows = await this.database.query<{ id: DeploymentId }>('SELECT id FROM deployments');
    return new Set(rows.map(({ id }) => id));
  }

  /** What is stored of the usage of deployments, by uid, in its order. */
  async intervals() {
    const rows = await this.database.query<{ uid: string; started_at: Date; ended_at: Date }>(
      `SELECT uid, started_at, ended_at FROM billed_deployments b JOIN usage_intervals ON billed_id = b.id ORDER BY started_at`,
    );
    return Map.groupBy(rows, ({ uid }) => uid);
  }
}
