import {
  supervisorOf,
  topology,
  type CommandData,
  type DeploymentId,
  type DeploymentStatus,
} from '@sluice/contracts';
import type { UnitOfWork } from '@sluice/messaging';
import { createLog, createPool, migrate, moveSequencesOn, sqlOf, system, type Log } from '@sluice/service';
import { kyselyTransactions, openKysely } from '@sluice/service/kysely';
import { secretBox } from '@sluice/system/secrets';
import type pg from 'pg';
import type { Database, Tables, Transaction, Tx } from '@sluice/region-store/tables';
import { askForAccess } from '../../../services/supervisor/src/features/access-rules/access-revisions.store.ts';
import { commandsService } from '../../../services/supervisor/src/features/commands/commands.service.ts';
import { inventoryPart } from '../../../services/supervisor/src/features/inventory/inventory.service.ts';
import { enter } from '../../../services/supervisor/src/reconciler/status-changes.ts';
import { beginUpgrade, endUpgrade } from '../../../services/supervisor/src/reconciler/upgrades.ts';
import { stopMeters } from '../../../services/supervisor/src/spending/restored-usage.ts';
import { settleDue } from '../../../services/supervisor/src/spending/spend-watch.ts';
import { deleteDeployment, findLocked } from '@sluice/region-store/deployments.store';
import { completeTombstone } from '@sluice/region-store/tombstones.store';
import type { Databases } from './databases.ts';
import { faultyWork, persistently, type Kills } from './faulty-work.ts';
import type { Plan } from './plan.ts';

const migrations = new URL('../../../services/supervisor/migrations/', import.meta.url);
const log = createLog('billing-year', 'error');
// what faults make it say is expected
const quiet: Log = Object.assign(Object.create(log) as Log, {
  warn: () => undefined,
  error: () => undefined,
});

export interface Message {
  subject: string;
  payload: string;
}

/** What is not as it is wanted, and when spend limits are due. */
interface Outlook {
  following: DeploymentId[];
  due: number | null;
}

/** A region: its database, and the supervisor's own code on it; the reconciler and the nodes are played. */
export class Region {
  readonly index: number;
  readonly place: Plan['regions'][number];
  readonly #databases: Databases;
  readonly #kills: Kills;
  #pool!: pg.Pool;
  #database!: Database;
  #work!: UnitOfWork<Transaction>;
  #now = new Date(0);

  constructor(index: number, place: Plan['regions'][number], databases: Databases, kills: Kills) {
    this.index = index;
    this.place = place;
    this.#databases = databases;
    this.#kills = kills;
  }

  get #name() {
    return `region_${this.index}`;
  }

  async make(): Promise<void> {
    await this.#databases.make(this.#name);
    this.#open();
    await migrate(this.#pool, migrations);
  }

  #open(): void {
    this.#pool = createPool(this.#databases.url(this.#name), 4, log);
    this.#database = openKysely<Tables>(this.#pool);
    const options = {
      ...{ topology: topology('year'), sender: supervisorOf(this.place), now: () => this.#now },
      transaction: kyselyTransactions(this.#database),
    };
    this.#work = faultyWork(options, this.#kills);
  }

  close = () => this.#database.destroy();

  /** The second in which what follows happens. */
  set time(at: number) {
    this.#now = new Date(at * 1000);
  }

  async copy(): Promise<void> {
    await this.close();
    await this.#databases.copy(this.#name, `${this.#name}_copy`);
    this.#open();
  }

  /** Goes back to the copy, as a supervisor notices at its start. */
  async restore(): Promise<void> {
    await this.close();
    await this.#databases.copy(`${this.#name}_copy`, this.#name);
    this.#open();
    const sql = sqlOf(this.#pool);
    await migrate(this.#pool, migrations);
    await moveSequencesOn(sql);
    await stopMeters(sql);
    await askForAccess(sql);
    await sql.query('UPDATE inventories SET known_since = $1', [this.#now]);
  }

  #change = <T>(change: (tx: Tx) => Promise<T>) => persistently(() => this.#work(system, change));

  #commands() {
    return commandsService({
      ...this.place,
      ...{ plainText: true, byocDriver: 'enrol', unknownSeconds: 1e9, taskDeadlineSeconds: 600 },
      onMismatch: () => {
        throw new Error('a deployment has the id of another');
      },
      secrets: secretBox(new Map([['year', new Uint8Array(32)]])),
      ...{ now: () => this.#now, log: quiet },
    });
  }

  /** Carries out a command of main-api. */
  async take(type: string, data: unknown): Promise<void> {
    const commands = this.#commands();
    const by: Record<string, (tx: Tx) => Promise<void>> = {
      deployment_apply: (tx) => commands.apply(tx, data as CommandData<'deployment_apply'>),
      upgrade_deployment: (tx) => commands.upgrade(tx, data as CommandData<'upgrade_deployment'>),
      extend_deployment: (tx) => commands.extend(tx, data as CommandData<'extend_deployment'>),
      deployment_delete: (tx) => commands.delete(tx, data as CommandData<'deployment_delete'>),
      deployment_unknown: (tx) => commands.disown(tx, data as CommandData<'deployment_unknown'>),
    };
    const carryOut = by[type];
    if (carryOut) await this.#change(carryOut);
  }

  /** Brings a deployment into a status, unless it is in it; by two replicas at once. */
  async enter(id: DeploymentId, from: DeploymentStatus[], status: DeploymentStatus, isTwice = false) {
    const once = () =>
      this.#change(async (tx) => {
        const deployment = await findLocked(tx.db, id);
        if (deployment && from.includes(deployment.status))
          await enter(tx, deployment, { status }, this.#now);
      });
    await Promise.all(isTwice ? [once(), once()] : [once()]);
  }

  beginUpgrade = (id: DeploymentId) =>
    this.#change(async (tx) => {
      const deployment = await findLocked(tx.db, id);
      if (deployment?.status === 'initialized') await beginUpgrade(tx, deployment, this.#now, false);
    });

  endUpgrade = (id: DeploymentId) =>
    this.#change(async (tx) => {
      const deployment = await findLocked(tx.db, id);
      if (deployment?.status === 'upgrading' || deployment?.status === 'extending')
        await endUpgrade(tx, deployment, this.#now);
    });

  remove = (id: DeploymentId) =>
    this.#change(async (tx) => {
      const deployment = await findLocked(tx.db, id);
      if (!deployment) return;
      await deleteDeployment(tx.db, id);
      await completeTombstone(tx.db, deployment, this.#now);
      const removed_at = this.#now.toISOString();
      tx.report('deployment_removed', { deployment_id: id, uid: deployment.uid, removed_at });
    });

  /** Whether people want the brokers stopped, which only the region knows. */
  setStopped = (id: DeploymentId, stopped: boolean) =>
    this.#pool.query('UPDATE nodes SET broker_stopped = $2 WHERE deployment_id = $1', [id, stopped]);

  /** Looks at spend limits, and at what has run for an hour; by two replicas at once. */
  async look(isTwice: boolean): Promise<void> {
    const once = () =>
      settleDue({ database: this.#database, work: this.#work, now: () => this.#now, log: quiet });
    // what a killed replica leaves undone is found by the next look
    do await Promise.all(isTwice ? [once(), once()] : [once()]);
    while (await this.#isDue());
  }

  async #isDue(): Promise<boolean> {
    const { rows } = await this.#pool.query(
      `SELECT FROM deployment_spending WHERE due_at <= $1
       OR monthly_cents > 0 AND metered_to <= $1::timestamptz - interval '1 hour' LIMIT 1`,
      [this.#now],
    );
    return rows.length > 0;
  }

  /** Reports what the region has. */
  inventory = () =>
    this.#change(async (tx) => {
      const provided = { clusters: true, options: { managed: [], byoc: [] }, plugins: [] };
      tx.report('region_registered', {
        ...{ ...this.place, supervisor_url: 'http://supervisor.test:8080', ...provided },
        ...{ usage_to: this.#now.toISOString(), inventory: await inventoryPart(tx.db, 0, this.#now) },
      });
    });

  /** What has been said since the last call; it is sent once. */
  async messages(): Promise<Message[]> {
    const { rows } = await this.#pool.query<Message & { id: number }>(
      'WITH sent AS (DELETE FROM outbox RETURNING *) SELECT id, subject, payload FROM sent ORDER BY id',
    );
    return rows.filter(({ subject }) => subject.includes('.reports.'));
  }

  async outlook(): Promise<Outlook> {
    const { rows } = await this.#pool.query<{ due: Date | null; following: DeploymentId[] | null }>(
      `SELECT (SELECT min(due_at) FROM deployment_spending) AS due,
        (SELECT jsonb_agg(id) FROM (
           SELECT id, status, limited_until IS NOT NULL OR EXISTS (
             SELECT FROM nodes n WHERE n.deployment_id = d.id AND n.broker_stopped) AS rests
           FROM deployments d WHERE status IN ('initialized', 'stopped') AND deleted_by IS NULL AND access_question IS NULL) looked
         WHERE rests = (status = 'initialized')) AS following`,
    );
    const [row] = rows;
    return { due: row?.due ? row.due.getTime() / 1000 : null, following: row?.following ?? [] };
  }

  async statuses() {
    const { rows } = await this.#pool.query<{
      id: DeploymentId;
      status: DeploymentStatus;
      rests: boolean;
      limited: boolean;
    }>(
      `SELECT id, status, limited_until IS NOT NULL AS limited, limited_until IS NOT NULL OR EXISTS (
         SELECT FROM nodes n WHERE n.deployment_id = d.id AND n.broker_stopped) AS rests FROM deployments d`,
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The spend meters, by uid. */
  async meters() {
    const { rows } = await this.#pool.query<{
      uid: string;
      month: Date;
      cent_seconds: number;
      metered_to: Date;
    }>(
      `SELECT uid, month, cent_seconds, metered_to FROM deployment_spending JOIN deployments ON id = deployment_id
       WHERE unknown_since IS NULL`,
    );
    return new Map(rows.map((row) => [row.uid, row]));
  }
}
