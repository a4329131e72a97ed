import type {
  BrokerStatistics,
  Cause,
  DeploymentShape,
  DeploymentStatus,
  Enrolment,
  Heartbeat,
  Protocol,
} from '@sluice/contracts';
import type { Sql } from '@sluice/service-kit';
import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  sql,
  type ColumnType,
  type Generated,
  type GeneratedAlways,
  type JSONColumnType,
  type Transaction,
} from 'kysely';
import type pg from 'pg';

/** The tables of `migrations/`, as Kysely checks statements against them. */
export interface Tables {
  deployments: {
    id: number;
    generation: number;
    shape: JSONColumnType<DeploymentShape>;
    tenant_id: GeneratedAlways<number>;
    division_id: GeneratedAlways<number>;
    environment_id: GeneratedAlways<number>;
    created_by: JSONColumnType<Cause>;
    deleted_by: JSONColumnType<Cause> | null;
    revision: Generated<number>;
    username: string;
    sealed_password: string;
    status: DeploymentStatus;
    status_reason: string | null;
    status_version: Generated<number>;
    status_changed_at: Date;
    subnet: string | null;
    network_secured_at: Date | null;
    dns_configured_at: Date | null;
    initialized_at: Date | null;
  };
  removed_deployments: { deployment_id: number; requested_at: Date; removed_at: Date | null };
  reconciliations: {
    deployment_id: number;
    due_at: Date;
    failures: Generated<number>;
    last_error: string | null;
  };
  nodes: {
    id: number;
    deployment_id: number;
    name: string;
    position: number;
    token_hash: string | null;
    token_expires_at: Date | null;
    public_key: JSONColumnType<Enrolment['public_key']> | null;
    applied_revision: Generated<number>;
    agent_version: string | null;
    last_heartbeat_at: Date | null;
    runtimes: ColumnType<Heartbeat['runtimes'], string | undefined, string>;
    endpoints: JSONColumnType<Heartbeat['endpoints']> | null;
    statistics: JSONColumnType<BrokerStatistics> | null;
  };
  access_rules: {
    id: GeneratedAlways<number>;
    deployment_id: number;
    name: string;
    remarks: string | null;
    protocols: Protocol[];
    cidr_blocks: string[];
    valid_to: Date | null;
    created_at: Date;
  };
  dns_records: { domain: string; deployment_id: number; address: string };
}

export type Database = Kysely<Tables>;

/** A transaction: Kysely's for the supervisor's statements, and the kit's for the outbox and the inbox. */
export interface Tx extends Sql {
  db: Transaction<Tables>;
}

export function openDatabase(pool: pg.Pool): Database {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Runs `work` in a transaction, as the kit's unit of work wants it. */
export function transactionsOf(database: Database) {
  return <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    database.transaction().execute((db) =>
      work({
        db,
        query: async <Row>(text: string, values: readonly unknown[] = []) =>
          (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows,
      }),
    );
}

/** What replicas tell each other through PostgreSQL; the payload is the deployment's id. */
export const channels = {
  /** the reconciler should look at it now */
  due: 'deployment_due',
  /** its agents are to be told something new */
  desired: 'deployment_desired',
  /** one of its agents has applied a revision */
  applied: 'deployment_applied',
} as const;

/** Tells all replicas; inside of a transaction when it commits. */
export async function notify(
  db: Database,
  channel: (typeof channels)[keyof typeof channels],
  deploymentId: number,
): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${String(deploymentId)})`.execute(db);
}
