import {
  idOf,
  type DeploymentId,
  type Event,
  type EventData,
  type NotificationType,
} from '@sluice/contracts';

type Examples = { [Type in NotificationType]: EventData<Type> };

const named = { name: 'orders', code: 'ABC1234' };
const aBudget = { name: 'Production', budget_id: idOf<never>(4), month: '2026-03', amount: '500.00' };
const node = { id: idOf<never>(31), name: 'node-1' };
const invited = { email: 'grace@acme.example', roles: ['developer', 'viewer'], tenant: 'Acme' };
const usage = (percent: number, threshold: number) => ({
  ...{ ...named, node, percent, threshold },
  since: '2026-03-01T11:55:00.000Z',
});
const away = { ...named, node, since: '2026-03-01T11:58:00.000Z' };
const lag = (pending: number) => ({
  ...{ ...named, stream: 'ORDERS', consumer: 'billing', pending, threshold: 10_000 },
  since: '2026-03-01T11:55:00.000Z',
});
const maintenance = {
  ...{ maintenance_id: 4, ...named, nodes: [node], starts_at: '2026-03-08T02:00:00.000Z', minutes: 60 },
  reason: 'new memory',
};
const drained = { cloud: 'cloud_a', region: 'us-east-1', reason: 'the site is closed' } as const;
const sink = { kind: 'https', destination: 'https://siem.acme.example', since: away.since };

/** What an event of each type says. */
export const examples: Examples = {
  consumer_lag_high: lag(12_000),
  consumer_lag_high_resolved: lag(4_200),
  region_drained: drained,
  region_undrained: drained,
  maintenance_planned: maintenance,
  maintenance_began: maintenance,
  maintenance_ended: maintenance,
  maintenance_cancelled: maintenance,
  deployment_created: {
    ...named,
    ...{ cloud: 'cloud_a', area: 'us', region: 'us-east-1', variant: 'managed', tier: 'medium' },
    ...{ cluster_kind: 'standalone', public_ip: true, storage_type: 'network_balanced', storage_size: 100 },
    ...{ encrypted: false, protected: false },
    retention: { telemetry: { logs_days: 7, metrics_days: 7, heartbeats_days: 7 } },
    nodes: [{ ...node, image_id: 'image', variant: 'm4', storage_type: 'network_balanced' }],
  },
  deployment_initialized: named,
  deployment_upgraded: {
    from_tier: 'small',
    to_tier: 'medium',
    from_storage: { type: 'local_ssd', size: null },
    to_storage: { type: 'network_balanced', size: 100 },
  },
  deployment_deleted: { ...named, reason: 'moved to another region' },
  deployment_restored: {
    ...{ ...named, rebuilt: false, login_changed: true },
    ...{ access_rules_deleted: 2, access_rules_restored: 1 },
  },
  deployment_data_lost: { ...named, nodes: [node, { ...node, name: 'node-2' }, { ...node, name: 'node-3' }] },
  deployment_certificates_rotated: { ...named, not_after: '2027-03-01T12:00:00.000Z' },
  deployment_secrets_rotated: { ...named, former_valid_to: '2026-03-01T13:00:00.000Z' },
  channel_unsubscribed: { channel_id: idOf<never>(4), channel: 'email', name: 'On call' },
  payment_failed: {
    ...{ invoice: 'SL-000042', amount: '118.20', reason: 'insufficient_funds' },
    next_attempt_at: '2026-03-09T12:00:00.000Z',
  },
  payment_overdue: { invoice: 'SL-000042', amount: '118.20' },
  certificate_expiring: {
    ...{ ...named, not_after: '2026-03-08T12:00:00.000Z' },
    reason: 'the authority does not answer',
  },
  billing_limit_reached: { ...named, spend_limit: 250, spent: 250.004, until: '2026-04-01T00:00:00.000Z' },
  invoice_issued: {
    ...{ invoice_id: 7, reference: 'INV-000007', month: 'February 2026' },
    ...{ total_usd: '103.20', due_at: '2026-03-31T12:00:00.000Z' },
  },
  billing_limit_near: { ...named, spend_limit: 250, spent: 200.004, percent: 80 },
  billing_budget_reached: { ...aBudget, percent: 80, spent: '400.00' },
  billing_budget_forecast: { ...aBudget, forecast: '612.40' },
  prices_announced: { list: 2, valid_from: '2026-04-01T00:00:00.000Z' },
  invitation_created: invited,
  invitation_accepted: invited,
  invitation_rejected: invited,
  tenant_join_requested: { email: invited.email, tenant: 'Acme' },
  member_joined: { ...invited, roles: ['viewer'] },
  tenant_config_updated: {
    changes: { join_policy: 'open', block_external_invitations: true },
    former: { join_policy: 'invite_only', block_external_invitations: false },
    tenant: 'Acme',
  },
  division_created: { name: 'Payments' },
  division_updated: {
    changes: { description: null, email: 'pay@acme.example' },
    former: { description: 'Everything about payments', email: null },
  },
  division_deleted: { name: 'Payments' },
  environment_created: { name: 'production' },
  environment_updated: { changes: { protected: true }, former: { protected: false } },
  environment_deleted: { name: 'production' },
  high_cpu_usage: usage(91.4, 85),
  high_memory_usage: usage(93, 90),
  high_disk_usage: usage(88, 85),
  cpu_usage_resolved: usage(40, 85),
  memory_usage_resolved: usage(61, 90),
  disk_usage_resolved: usage(70, 85),
  node_unreachable: { ...away, runtime: 'agent' },
  node_reachable: { ...away, runtime: 'broker' },
  audit_sink_failing: { ...sink, reason: 'The server answered 401: invalid token' },
  audit_sink_recovered: sink,
};

const ofTenant: NotificationType[] = [
  ...(['invitation_created', 'invitation_accepted', 'invitation_rejected'] as const),
  ...(['tenant_join_requested', 'member_joined', 'tenant_config_updated'] as const),
  ...(['audit_sink_failing', 'audit_sink_recovered'] as const),
  ...(['region_drained', 'region_undrained'] as const),
  ...([
    'billing_budget_reached',
    'billing_budget_forecast',
    'prices_announced',
    'invoice_issued',
    'payment_failed',
    'payment_overdue',
  ] as const),
];
const byItself: NotificationType[] = [
  ...(['audit_sink_failing', 'audit_sink_recovered'] as const),
  ...(['region_drained', 'region_undrained'] as const),
  ...([
    'billing_budget_reached',
    'billing_budget_forecast',
    'prices_announced',
    'invoice_issued',
    'payment_failed',
    'payment_overdue',
  ] as const),
  ...(['maintenance_planned', 'maintenance_began', 'maintenance_ended', 'maintenance_cancelled'] as const),
  ...([
    'deployment_initialized',
    'deployment_data_lost',
    'deployment_restored',
    'certificate_expiring',
  ] as const),
  ...(['billing_limit_near', 'billing_limit_reached', 'node_unreachable', 'node_reachable'] as const),
  ...(['high_cpu_usage', 'high_memory_usage', 'high_disk_usage'] as const),
  ...(['cpu_usage_resolved', 'memory_usage_resolved', 'disk_usage_resolved'] as const),
];

const orders = { id: idOf<DeploymentId>(9), name: 'orders', uid: '5a0f4c0e-54a5-4a53-9a3e-3f0a5a4f6d02' };

/** An event of this type as it comes over NATS. */
export function exampleOf(type: NotificationType, data: unknown = examples[type]): Event {
  const inDivision = !ofTenant.includes(type);
  const isDivision = type.startsWith('division_');
  const isEnvironment = type.startsWith('environment_');
  return {
    id: '0b6f2a7e-54a5-4a53-9a3e-3f0a5a4f6d01',
    type,
    occurred_at: '2026-03-01T12:00:00.123Z',
    tenant_id: idOf(1),
    division: inDivision ? { id: idOf(3), name: 'Payments' } : null,
    environment: inDivision && !isDivision ? { id: idOf(5), name: 'production' } : null,
    deployment: inDivision && !isDivision && !isEnvironment ? orders : null,
    author: byItself.includes(type) ? null : { id: idOf(7), name: 'Ada Lovelace' },
    user: ofTenant.includes(type) ? { id: idOf(8), name: 'Grace Hopper' } : null,
    api_key: null,
    data,
    correlation_id: null,
  };
}
