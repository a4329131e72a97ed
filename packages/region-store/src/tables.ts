import type {
  AppliedState,
  BrokerResources,
  BrokerStatistics,
  Cause,
  DeploymentSpec,
  DeploymentStatus,
  Enrolment,
  Heartbeat,
  InstanceRunStatus,
  LogLevel,
  Machine,
  Protocol,
  ReportData,
  ReportedCluster,
  ReportedConsumer,
  ReportedStream,
  RuntimeStatus,
  TelemetryRuntime,
  AccessRuleId,
  BackupId,
  ConnectorInstanceId,
  ConnectorStatus,
  ConnectorType,
  ConfigId,
  DeploymentId,
  DivisionId,
  EnvironmentId,
  NetworkLinkId,
  NodeId,
  SnapshotFindings,
  SnapshotId,
  TaskId,
  TaskAction,
  TaskRuntime,
  TenantId,
  UserId,
  UpgradeStatus,
} from '@sluice/contracts';
import type { Outgoing, UnitOfWork } from '@sluice/messaging';
import type { KyselyTransaction } from '@sluice/service/kysely';
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType, Kysely } from 'kysely';
import type { AcmeTables } from '@sluice/driver-acme';
import type { LocalTables } from '@sluice/driver-local';
import type {
  ByocDriver,
  ConnectionStatus,
  LinkFacts,
  LinkKind,
  LinkRequests,
  LinkStatus,
  NodeAddress,
} from '@sluice/drivers';
import type { StoredConnectors } from './connector-reports.ts';
import type { SeenNode } from '@sluice/diagnostics/seen-node';

/** What a deployment costs, and for what. */
export type Billed = Omit<ReportData<'usage'>, 'deployment_id' | 'uid' | 'from' | 'to'>;
/** The same from a second on. */
export interface BilledChange {
  from: string;
  billed: Billed;
}

/** Least, greatest, sum and number of samples. */
export type SummedUp = [number, number, number, number];

/** A sample of a node, or of something that runs on it. */
interface Watched {
  deployment_id: DeploymentId;
  at: Date;
  node_id: NodeId;
  runtime: TelemetryRuntime;
  instance_id: number;
  /** of an instance also in its own words */
  status: RuntimeStatus | InstanceRunStatus | null;
}

/** What the broker of a node was reported to hold. */
interface Held {
  deployment_id: DeploymentId;
  node_id: NodeId;
  report: string;
  reported_at: Date;
}

/** The messages that a consumer had not been given yet, in the time that begins at `at`. */
interface ConsumerLag {
  deployment_id: DeploymentId;
  at: Date;
  stream: string;
  consumer: string;
  pending_min: number;
  pending_max: number;
  pending_sum: string;
  samples: number;
}

/** What the volume of a node is copied to; digest and size are null until the copy is whole. */
export interface VolumeCopy {
  node_id: NodeId;
  volume_id: string;
  snapshot_id: string;
  digest: string | null;
  bytes: number | null;
}

/** Where copies are that are not the region's own: what there is to know of their deployment once it is gone. */
export interface CopyPlace {
  byoc_driver: ByocDriver;
  /** the access to the customer's account, where there is one */
  access: unknown;
  deployment: string;
  tenant_id: TenantId;
}

/** What comes next of what is being done with the volumes of a deployment. */
export type VolumeStep =
  'staging' | 'waiting' | 'quiescing' | 'copying' | 'sealing' | 'swapping' | 'swapping_back' | 'restarting';

/** Whether a node's broker was to be stopped before the work on its volume. */
export interface FormerState {
  node_id: NodeId;
  stopped: boolean;
}

/** The tables of `migrations/`, as Kysely checks statements against them; those of drivers are their own. */
export interface Tables extends AcmeTables, LocalTables {
  deployments: {
    id: DeploymentId;
    uid: string;
    generation: number;
    spec: JSONColumnType<DeploymentSpec>;
    tenant_id: GeneratedAlways<TenantId>;
    division_id: GeneratedAlways<DivisionId>;
    environment_id: GeneratedAlways<EnvironmentId>;
    created_by: JSONColumnType<Cause>;
    deleted_by: JSONColumnType<Cause> | null;
    revision: Generated<number>;
    access_revision: Generated<number>;
    access_question: string | null;
    username: string;
    sealed_password: string;
    status: DeploymentStatus;
    status_reason: string | null;
    status_version: Generated<number>;
    status_changed_at: Date;
    subnet: string | null;
    unknown_since: Date | null;
    limited_until: Date | null;
    plain_text: Generated<boolean>;
    traceparent: string | null;
    traced_at: Date | null;
    byoc_driver: ByocDriver | null;
  };
  /** written by a trigger alone */
  deployment_statuses: {
    id: GeneratedAlways<number>;
    deployment_id: DeploymentId;
    status: DeploymentStatus;
    reason: string | null;
    started_at: Date;
    ended_at: Date | null;
  };
  deployment_conditions: {
    deployment_id: DeploymentId;
    type: string;
    status: 'True' | 'False' | 'Unknown';
    reason: string;
    message: string;
    changed_at: Date;
  };
  deployment_spending: {
    deployment_id: DeploymentId;
    month: Date;
    cent_seconds: number;
    metered_to: Date;
    monthly_cents: number;
    due_at: Date | null;
    reported_month: Date | null;
    billed: JSONColumnType<Billed> | null;
    usage_from: Date | null;
    usage_to: Date | null;
    price_changes: JSONColumnType<BilledChange[]> | null;
    warned_month: Date | null;
  };
  usage_intervals: {
    deployment_uid: string;
    started_at: Date;
    ended_at: Date;
    deployment_id: DeploymentId;
    billed: JSONColumnType<Billed>;
  };
  orphaned_nodes: { node_id: NodeId; deployment_uid: string | null; found_at: Date };
  deployment_upgrades: {
    deployment_id: DeploymentId;
    upgrade_id: string;
    generation: number;
    tier: DeploymentSpec['tier'];
    storage: JSONColumnType<DeploymentSpec['storage']>;
    resources: JSONColumnType<BrokerResources>;
    requested_by: JSONColumnType<Cause>;
    requested_at: Date;
    state: Generated<UpgradeStatus | 'rolling_back'>;
    reason: string | null;
    nodes_after: number | null;
  };
  deployment_clusters: {
    deployment_id: DeploymentId;
    username: string;
    sealed_password: string;
    certificate: string;
    sealed_key: string;
    authority: string;
    former_authority: string | null;
    not_before: Date;
    not_after: Date;
    routes: ColumnType<{ node_id: NodeId; port: number }[], string | undefined, string>;
    turn_node_id: NodeId | null;
    asked_revision: number | null;
  };
  /** one row */
  inventories: { one: Generated<boolean>; begun_at: Date; known_since: Date | null };
  /** tombstones of deployments */
  removed_uids: {
    uid: string;
    deployment_id: DeploymentId;
    requested_at: Date;
    removed_at: Date | null;
  };
  reconciliations: {
    deployment_id: DeploymentId;
    due_at: Date;
    failures: Generated<number>;
    last_error: string | null;
    fence: Generated<number>;
    leased_by: string | null;
    leased_until: Date | null;
    slow: Generated<boolean>;
    active_seconds: Generated<number>;
    active_since: Date | null;
    active_at: Date | null;
    reported_at: Date | null;
  };
  nodes: {
    id: NodeId;
    deployment_id: DeploymentId;
    name: string;
    position: number;
    token_hash: string | null;
    token_expires_at: Date | null;
    public_key: JSONColumnType<Enrolment['public_key']> | null;
    revoked_at: Date | null;
    applied_revision: Generated<number>;
    agent_version: string | null;
    last_heartbeat_at: Date | null;
    runtimes: ColumnType<Heartbeat['runtimes'], string | undefined, string>;
    ports: JSONColumnType<Heartbeat['ports']> | null;
    statistics: JSONColumnType<BrokerStatistics> | null;
    unreachable_since: Date | null;
    deployed_at: Date | null;
    data_lost_at: Date | null;
    upgrade_id: string | null;
    applied: JSONColumnType<AppliedState> | null;
    broker_stopped: Generated<boolean>;
    connectors_stopped: Generated<boolean>;
    connectors: JSONColumnType<StoredConnectors> | null;
    address: JSONColumnType<NodeAddress> | null;
    cluster: JSONColumnType<ReportedCluster> | null;
    token_anew: Generated<boolean>;
    machine: JSONColumnType<Machine> | null;
    data_gone_at: Date | null;
    leaving_at: Date | null;
    connection_changed_at: Generated<Date>;
    broker_changed_at: Generated<Date>;
  };
  tasks: {
    id: GeneratedAlways<TaskId>;
    deployment_id: DeploymentId;
    node_id: NodeId;
    submission: string;
    runtime: TaskRuntime;
    action: TaskAction;
    config_id: ConfigId | null;
    former_config_id: ConfigId | null;
    former_stopped: boolean | null;
    status: Generated<'queued' | 'running' | 'completed' | 'failed' | 'cancelled'>;
    outcome: 'completed' | 'failed' | null;
    error: string | null;
    created_by: JSONColumnType<Cause>;
    created_at: Generated<Date>;
    deadline: Date;
    started_at: Date | null;
    revision: number | null;
    finished_at: Date | null;
  };
  maintenances: {
    id: GeneratedAlways<number>;
    reason: string | null;
    starts_at: Date;
    minutes: number;
    decision: 'end' | 'cancel' | null;
    created_at: Generated<Date>;
    finished_at: Date | null;
  };
  maintenance_nodes: {
    maintenance_id: number;
    deployment_id: DeploymentId;
    node_id: NodeId;
    status: Generated<'new' | 'planned' | 'stopping' | 'stopped' | 'starting' | 'ended' | 'cancelled'>;
    waits_for: string | null;
    former: JSONColumnType<Record<TaskRuntime, boolean>> | null;
    revision: number | null;
    looked_at: Date | null;
    finished_at: Date | null;
  };
  backups: {
    id: GeneratedAlways<BackupId>;
    deployment_id: DeploymentId | null;
    name: string;
    backup_type: 'manual' | 'scheduled' | 'pre_upgrade';
    node_id: NodeId | null;
    status: Generated<'pending' | 'in_progress' | 'completed' | 'failed' | 'deleting'>;
    error: string | null;
    remarks: string | null;
    copies: ColumnType<VolumeCopy[], string | undefined, string>;
    place: JSONColumnType<CopyPlace> | null;
    upgrade_id: string | null;
    by_schedule: Generated<boolean>;
    created_by: JSONColumnType<Cause>;
    created_at: Generated<Date>;
    started_at: Date | null;
    completed_at: Date | null;
    expires_at: Date | null;
  };
  backup_schedules: {
    deployment_id: DeploymentId;
    enabled: boolean;
    cron: string;
    keep: number;
    next_at: Date | null;
  };
  volume_work: {
    deployment_id: DeploymentId;
    run: Generated<string>;
    kind: 'backup' | 'restore';
    backup_id: BackupId;
    step: VolumeStep;
    former_states: JSONColumnType<FormerState[]> | null;
    revision: number | null;
    deadline: Date | null;
    failure: string | null;
    created_by: JSONColumnType<Cause>;
    fence: Generated<number>;
    leased_until: Date | null;
    next_attempt_at: Date | null;
    pauses: Generated<number>;
  };
  snapshots: {
    id: GeneratedAlways<SnapshotId>;
    deployment_id: DeploymentId;
    node_id: NodeId;
    submission: string;
    name: string;
    node_name: string;
    redact_secrets: boolean;
    created_by: JSONColumnType<Cause>;
    created_at: Generated<Date>;
    deadline: Date;
    expires_at: Date;
    findings: JSONColumnType<SnapshotFindings> | null;
    failure: string | null;
    seen: JSONColumnType<SeenNode> | null;
    finished_at: Date | null;
    completed_at: Date | null;
    archive: 'wanted' | 'complete' | 'failed' | null;
    archive_upload: string | null;
    archive_pieces: Generated<number>;
    archive_bytes: Generated<number>;
  };
  snapshot_archive_pieces: { snapshot_id: SnapshotId; number: number; content: Uint8Array };
  silence_looks: { only_row: Generated<boolean>; watched_since: Date; looked_at: Date };
  subnets: { subnet: string; deployment_id: DeploymentId | null };
  subnet_ranges: { range: string; listed: number };
  access_rules: {
    id: GeneratedAlways<AccessRuleId>;
    deployment_id: DeploymentId;
    name: string;
    remarks: string | null;
    protocols: Protocol[];
    cidr_blocks: string[];
    valid_to: Date | null;
    created_at: Date;
  };
  connector_instances: {
    id: ConnectorInstanceId;
    deployment_id: DeploymentId;
    connector_type: ConnectorType;
    connector_key: string;
    name: string;
    key: string;
    status: Generated<ConnectorStatus>;
    created_by: JSONColumnType<Cause>;
    created_at: Date;
  };
  config_names: {
    deployment_id: DeploymentId;
    kind: string;
    name: string;
    instance_id: ConnectorInstanceId | null;
    last_version: number;
  };
  configs: {
    id: GeneratedAlways<ConfigId>;
    deployment_id: DeploymentId;
    kind: string;
    name: string;
    version: number;
    sealed_values: string;
    is_active: Generated<boolean>;
    runtime_version: string | null;
    author_id: UserId | null;
    created_at: Date;
    activated_at: Date | null;
    /** why nodes have refused it, until it is tried anew */
    rejection: string | null;
    rejected_at: Date | null;
  };
  configs_applied: { deployment_id: DeploymentId; kind: string; config_id: ConfigId };
  telemetry_samples: Watched & { metrics: JSONColumnType<Record<string, number>> };
  telemetry_minutes: Watched & { samples: number; metrics: JSONColumnType<Record<string, SummedUp>> };
  telemetry_hours: Watched & { samples: number; metrics: JSONColumnType<Record<string, SummedUp>> };
  telemetry_due: { deployment_id: DeploymentId; at: Date };
  telemetry_lines: Omit<Watched, 'status'> & { id: Generated<number>; level: LogLevel; message: string };
  telemetry_batches: {
    node_id: NodeId;
    deployment_id: DeploymentId;
    spool: string;
    number: number;
    taken_at: Date;
  };
  stream_reports: {
    node_id: NodeId;
    deployment_id: DeploymentId;
    reported_at: Date;
    streams_total: number;
    consumers_total: number;
  };
  broker_streams: Held & { name: string; held: JSONColumnType<ReportedStream> };
  broker_consumers: Held & { stream: string; name: string; held: JSONColumnType<ReportedConsumer> };
  consumer_minutes: ConsumerLag;
  consumer_hours: ConsumerLag;
  consumer_alerts: {
    deployment_id: DeploymentId;
    stream: string;
    consumer: string;
    threshold: number;
    beyond_since: Date | null;
    within_since: Date | null;
    reported_at: Date;
    pending: number;
    raised_at: Date | null;
  };
  health_alerts: {
    node_id: NodeId;
    kind: string;
    runtime: TelemetryRuntime;
    instance_id: number;
    beyond_since: Date | null;
    within_since: Date | null;
    reported_at: Date;
    value: number | null;
    raised_at: Date | null;
  };
  encryption_keys: {
    deployment_id: DeploymentId;
    /** counted from 1 for each deployment */
    version: number;
    sealed_key: string;
    created_at: Generated<Date>;
  };
  former_credentials: {
    deployment_id: DeploymentId;
    username: string;
    sealed_password: string;
    valid_to: Date;
  };
  deployment_certificates: {
    deployment_id: DeploymentId;
    certificate: string | null;
    sealed_key: string | null;
    authority: string | null;
    server_name: string | null;
    serial: string | null;
    not_before: Date | null;
    not_after: Date | null;
    due_at: Date;
    failures: Generated<number>;
    last_error: string | null;
    requested_by: JSONColumnType<Cause> | null;
    warned_at: Date | null;
    held_until: Date | null;
    ask_renewal_at: Date | null;
  };
  connector_reports: { deployment_id: DeploymentId; version: number; state: string };
  removed_connector_instances: {
    id: ConnectorInstanceId;
    deployment_id: DeploymentId;
    removed_at: Generated<Date>;
  };
  network_links: {
    id: GeneratedAlways<NetworkLinkId>;
    uid: Generated<string>;
    deployment_id: DeploymentId;
    kind: LinkKind;
    name: string;
    remarks: string | null;
    wanted: JSONColumnType<LinkRequests[LinkKind]>;
    facts: ColumnType<Partial<LinkFacts[LinkKind]>, string | undefined, string>;
    status: LinkStatus;
    status_reason: string | null;
    status_since: Generated<Date>;
    created_by: JSONColumnType<Cause>;
    created_at: Date;
    deleted_by: JSONColumnType<Cause> | null;
    deleted_at: Date | null;
    due_at: Generated<Date>;
    fence: Generated<number>;
    leased_until: Date | null;
    failures: Generated<number>;
  };
  attachment_connections: {
    id: GeneratedAlways<number>;
    link_id: NetworkLinkId;
    connection_id: string;
    consumer_project_id: string;
    consumer_network: string | null;
    consumer_forwarding_rule: string | null;
    status: ConnectionStatus;
    created_at: Generated<Date>;
  };
  dns_records: { domain: string; deployment_id: DeploymentId; address: string };
}

export type Database = Kysely<Tables>;

export type Transaction = KyselyTransaction<Tables>;

/** A transaction with the messages that are sent once it commits. */
export type Tx = Transaction & Outgoing;

/** What services work with. */
export interface Base {
  database: Database;
  work: UnitOfWork<Transaction>;
  now: () => Date;
}
