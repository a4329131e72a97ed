import type { ApiKeyId, DeploymentId, DivisionId, EnvironmentId, TenantId, UserId } from '@sluice/contracts';
import type { KyselyTransaction } from '@sluice/service/kysely';
import type { Generated, JSONColumnType, Kysely } from 'kysely';

/** Whom and what an entry names, as they were called then. */
interface Named {
  author_id: UserId | null;
  author_name: string | null;
  user_id: UserId | null;
  user_name: string | null;
  division_id: DivisionId | null;
  division_name: string | null;
  environment_id: EnvironmentId | null;
  environment_name: string | null;
  deployment_id: DeploymentId | null;
  deployment_name: string | null;
  api_key_id: ApiKeyId | null;
  api_key_name: string | null;
}

/** The tables of `migrations/`, as Kysely checks statements against them. */
export interface Tables {
  log_entries: Named & {
    tenant_id: TenantId;
    seq: number;
    recorded_at: Date;
    event_id: string;
    position: number;
    type: string;
    data: JSONColumnType<object | null>;
    as_sent: JSONColumnType<object> | null;
    correlation_id: string | null;
    occurred_at: Date;
    prev_hash: Uint8Array;
    hash: Uint8Array;
  };
  log_heads: {
    tenant_id: TenantId;
    seq: Generated<number>;
    hash: Generated<Uint8Array>;
    recorded_at: Generated<Date>;
    moved_at: Generated<Date>;
  };
  log_counts: {
    tenant_id: TenantId;
    dimension: string;
    value: string;
    first_seq: number;
    entries: number;
    oldest: Date;
    newest: Date;
  };
  log_counted: { tenant_id: TenantId; seq: number };
  log_anchors: { tenant_id: TenantId; seq: number; hash: Uint8Array; dropped_at: Generated<Date> };
  tenant_features: {
    tenant_id: TenantId;
    version: number;
    audit_retention_days: number;
    audit_export_enabled: boolean;
  };
  sinks: {
    tenant_id: TenantId;
    kind: 'https' | 's3';
    sealed_settings: string;
    destination: string;
    enabled: boolean;
    interval_seconds: number;
    position: number;
    delivered: Generated<number>;
    missed: Generated<number>;
    failures: Generated<number>;
    failing_since: Date | null;
    failure_reported: Generated<boolean>;
    last_error: string | null;
    last_error_at: Date | null;
    last_delivery_at: Date | null;
    due_at: Generated<Date>;
    fence: Generated<number>;
    leased_until: Date | null;
    tested_at: Date | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  deleted_tenants: { tenant_id: TenantId; deleted_at: Generated<Date>; keep_until: Generated<Date> };
}

export type Database = Kysely<Tables>;

export type Transaction = KyselyTransaction<Tables>;
