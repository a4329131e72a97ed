import { idOf, type ApiKeyId, type UserId, type DivisionId, type TenantId } from './ids.ts';
import { eventSchema, eventTypes, type Event } from './index.ts';

const types = Object.entries(eventTypes);

/** Section 6.1 of the interface, whole. */
const notificationTypes = [
  ...['deployment_created', 'deployment_initialized', 'deployment_upgraded', 'deployment_deleted'],
  // what there is besides
  ...['deployment_data_lost', 'deployment_restored', 'audit_sink_failing', 'audit_sink_recovered'],
  ...['deployment_certificates_rotated', 'deployment_secrets_rotated'],
  ...['invitation_created', 'invitation_accepted', 'invitation_rejected'],
  ...['tenant_config_updated', 'tenant_join_requested', 'member_joined'],
  ...['division_created', 'division_updated', 'division_deleted'],
  ...['environment_created', 'environment_updated', 'environment_deleted'],
  ...['high_cpu_usage', 'high_memory_usage', 'high_disk_usage', 'node_unreachable'],
  ...['cpu_usage_resolved', 'memory_usage_resolved', 'disk_usage_resolved', 'node_reachable'],
  ...['consumer_lag_high', 'consumer_lag_high_resolved'],
  ...['region_drained', 'region_undrained'],
  ...['maintenance_planned', 'maintenance_began', 'maintenance_ended', 'maintenance_cancelled'],
  ...['certificate_expiring', 'billing_limit_reached', 'channel_unsubscribed'],
  ...['payment_failed', 'payment_overdue'],
  ...[
    'billing_limit_near',
    'billing_budget_reached',
    'billing_budget_forecast',
    'prices_announced',
    'invoice_issued',
  ],
];

/** What only services have to know. */
const untold = new Set(['tenant_features_updated']);

test.each(types)(
  '%s is snake_case, has a label and is told to somebody, unless only services have to know it',
  (type, { name, audit, notification }) => {
    expect(type).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(name).toMatch(/^[A-Z][A-Za-z -]+$/);
    expect(audit || notification).toBe(!untold.has(type));
  },
);

test.each(types)('%s can be subscribed to exactly if section 6.1 lists it', (type, { notification }) => {
  expect(notification).toBe(notificationTypes.includes(type));
});

test('no two types have the same label', () => {
  expect(new Set(types.map(([, { name }]) => name)).size).toBe(types.length);
});

const created = {
  cloud: 'cloud_a',
  area: 'us',
  region: 'us-east-1',
  variant: 'managed',
  tier: 'small',
  cluster_kind: 'standalone',
  public_ip: true,
  storage_type: 'local_ssd',
  storage_size: 10,
  encrypted: false,
  protected: false,
  retention: { telemetry: { logs_days: 7, metrics_days: 7, heartbeats_days: 7 } },
  code: 'ABC1234',
  name: 'first',
  nodes: [{ id: 1, name: 'n', image_id: 'i', variant: 'v', storage_type: 'local_ssd' }],
};

const storage = { type: 'local_ssd', size: 10 };

describe('the data of', () => {
  test.each([
    ['deployment_created', created],
    ['deployment_created', { ...created, target_network_tput: 100, domain: 'first-abc1234.example.com' }],
    ['deployment_deleted', { name: 'first', code: 'ABC1234' }],
    ['deployment_deleted', { name: 'first', code: 'ABC1234', reason: 'spend limit' }],
    ['access_rule_added', { cidrs: ['10.0.0.0/8'], rules: everyProtocol(true) }],
    ['access_rule_updated', { name: 'office', changes: { remarks: null }, former: { remarks: 'x' } }],
    ['access_rule_deleted', { cidrs: [], description: 'x', rules: everyProtocol(false) }],
    [
      'deployment_upgraded',
      { from_tier: 'small', to_tier: 'large', from_storage: storage, to_storage: storage },
    ],
    ['member_invited', { email: 'ada@example.com', roles: ['admin'] }],
    ['config_activated', { config_id: 7, kind: 'broker', name: 'main', version: 2 }],
    ['api_key_created', { name: 'ci', role_id: 2 }],
    ['api_key_deleted', { name: 'ci', role_id: 2, division_id: 3 }],
  ] as const)('%s has the shape of section 6.3', (type, data) => {
    expect(eventTypes[type].data.parse(data)).toEqual(data);
  });

  test('an event is its fields and nothing else', () => {
    const more = { name: 'ci', role_id: 2, token: 'svc_secret' };
    expect(eventTypes.api_key_created.data.parse(more)).toEqual({ name: 'ci', role_id: 2 });
  });

  test.each([
    ['deployment_created', { ...created, retention: {} }],
    ['deployment_created', { ...created, tier: 'tiny' }],
    ['deployment_deleted', { name: 'first' }],
    ['access_rule_added', { rules: everyProtocol(true) }],
    ['access_rule_added', { cidrs: [], rules: { ...everyProtocol(true), ftp: true } }],
    ['api_key_created', { name: 'ci' }],
    ['division_created', null],
  ] as const)('%s of another shape is refused', (type, data) => {
    expect(eventTypes[type].data.safeParse(data).success).toBe(false);
  });
});

function everyProtocol(open: boolean) {
  return { broker_http: open, broker_tcp: open, broker_websocket: open, broker_udp: open };
}

const event: Event = {
  id: '0b6f2a7e-54a5-4a53-9a3e-3f0a5a4f6d01',
  type: 'division_created',
  occurred_at: '2026-03-01T12:00:00.123Z',
  tenant_id: idOf<TenantId>(1),
  division: { id: idOf<DivisionId>(3), name: 'Payments' },
  environment: null,
  deployment: null,
  author: { id: idOf<UserId>(7), name: 'Ada' },
  user: null,
  api_key: { id: idOf<ApiKeyId>(9), name: 'ci' },
  data: { name: 'Payments' },
  correlation_id: '6f9619ff-8b86-4011-b42d-00c04fc964ff',
};

describe('the envelope', () => {
  test('comes over the wire as it was', () => {
    expect(eventSchema.parse(JSON.parse(JSON.stringify(event)))).toEqual(event);
  });

  test.each([
    ['an id that is no UUID', { ...event, id: '1' }],
    ['no tenant', { ...event, tenant_id: undefined }],
    ['a reference without its name', { ...event, division: { id: 3 } }],
    ['a reference to nothing', { ...event, author: { id: 0, name: 'x' } }],
    ['a reference left out', { ...event, deployment: undefined }],
    ['a local time', { ...event, occurred_at: '2026-03-01T12:00:00' }],
  ])('with %s is refused', (_, malformed) => {
    expect(eventSchema.safeParse(malformed).success).toBe(false);
  });
});
