import type { Prepared, RecordedChanges } from './recorded-changes.ts';

const inAYear = () => new Date(Date.now() + 300 * 24 * 3_600_000).toISOString();
const newKey = async (walk: RecordedChanges, name: string) => ({
  name,
  role_id: await walk.roleId('viewer'),
  expiry_at: inAYear(),
});
const addresses = { validate_ip: true, allowed_ips: ['192.0.2.0/24'] };
const madeBy = (operation: string, name: string): Prepared => {
  return (walk) => ({ at: { [name]: walk.made(operation) } });
};
const inDivision = (walk: RecordedChanges) => ({ division_id: walk.made('createDivision') });
const inChannel = (walk: RecordedChanges) => ({ channel_id: walk.made('createChannel') });
const inDivisionChannel = (walk: RecordedChanges) => ({
  ...inDivision(walk),
  channel_id: walk.made('createDivisionChannel'),
});
const inBudget = (walk: RecordedChanges) => ({ budget_id: walk.made('createBudget') });
const webhook = (name: string) => ({ channel: 'webhook', name, destination: 'https://127.0.0.1:9/audited' });
const aSubscription = { message_types: ['high_disk_usage'] };
const inSecond = (walk: RecordedChanges) => ({ deployment_id: walk.made('createManagedDeployment') });
const toAccount = {
  account_id: '123456789012',
  identity_arn: 'arn:cloud_a:iam::123456789012:role/sluice-audited',
  vpc_id: 'vpc-0a1b2c3d',
};

const connectorValues = {
  streams: [{ stream: 'orders', topics: ['orders.*'] }],
  plugin_config: { url: 'https://127.0.0.1:9/audited', token: 'token-of-the-audited-connector' },
};

/**
 * How each operation that changes something is called, in the order in which they fit together. A new operation needs a
 * line: what does not exist yet is waited for, what exists is `walk.existing`, and what a call before has made is `walk.made`.
 */
export const changes: Record<string, Prepared> = {
  changeSubscription: () => ({ body: { plan: 'enterprise' } }),
  updateTenant: () => ({ body: { description: 'audited' } }),
  replaceTenantConfig: () => ({
    body: {
      join_policy: 'request_to_join',
      block_external_invitations: false,
      enforce_domain_only_invitations: false,
    },
  }),
  replaceBillingInfo: () => ({ body: { company: 'Audited Ltd', country: 'GB' } }),
  createBudget: () => ({ body: { name: 'audited', amount: '500.00' } }),
  updateBudget: (walk) => ({ at: inBudget(walk), body: { amount: '750.00' } }),
  deleteBudget: (walk) => ({ at: inBudget(walk) }),
  createPaymentIntent: () => ({}),
  deletePaymentMethod: async (walk) => {
    await walk.savedCard();
    return {};
  },

  createDivision: () => ({ body: { name: 'audited' } }),
  updateDivision: (walk) => ({ at: inDivision(walk), body: { protected: true } }),
  createEnvironment: (walk) => ({ at: inDivision(walk), body: { name: 'audited' } }),
  updateEnvironment: (walk) => ({
    at: { ...inDivision(walk), environment_id: walk.made('createEnvironment') },
    body: { description: 'audited' },
  }),
  deleteEnvironment: (walk) => ({
    at: { ...inDivision(walk), environment_id: walk.made('createEnvironment') },
  }),
  createDivisionApiKey: async (walk) => ({ at: inDivision(walk), body: await newKey(walk, 'audited there') }),
  updateDivisionApiKeySecurity: (walk) => ({
    at: { ...inDivision(walk), api_key_id: walk.made('createDivisionApiKey') },
    body: addresses,
  }),
  rotateDivisionApiKey: (walk) => ({
    at: { ...inDivision(walk), api_key_id: walk.made('createDivisionApiKey') },
    body: {},
  }),
  deleteDivisionApiKey: (walk) => ({
    at: { ...inDivision(walk), api_key_id: walk.made('createDivisionApiKey') },
  }),
  createDivisionChannel: (walk) => ({ at: inDivision(walk), body: webhook('audited there') }),
  updateDivisionChannel: (walk) => ({ at: inDivisionChannel(walk), body: { remarks: 'audited' } }),
  testDivisionChannel: (walk) => ({ at: inDivisionChannel(walk) }),
  createDivisionChannelSubscription: (walk) => ({ at: inDivisionChannel(walk), body: aSubscription }),
  deleteDivisionChannelSubscription: (walk) => ({
    at: { ...inDivisionChannel(walk), subscription_id: walk.made('createDivisionChannelSubscription') },
  }),
  replaceDivisionChannelSubscriptions: (walk) => ({
    at: inDivisionChannel(walk),
    body: { subscriptions: [aSubscription] },
  }),
  deleteDivisionChannel: (walk) => ({ at: inDivisionChannel(walk) }),
  requestProtectionCode: (walk) => {
    const payload = { tenant_id: walk.stack.tenant_id, ...inDivision(walk) };
    return { body: { action: { action_type: 'delete_division', payload } } };
  },
  deleteDivision: async (walk) => ({ at: inDivision(walk), query: `code=${await walk.protectionCode()}` }),

  createChannel: () => ({ body: webhook('audited') }),
  updateChannel: (walk) => ({ at: inChannel(walk), body: { remarks: 'audited' } }),
  testChannel: (walk) => ({ at: inChannel(walk) }),
  createChannelSubscription: (walk) => ({ at: inChannel(walk), body: aSubscription }),
  deleteChannelSubscription: (walk) => ({
    at: { ...inChannel(walk), subscription_id: walk.made('createChannelSubscription') },
  }),
  replaceChannelSubscriptions: (walk) => ({ at: inChannel(walk), body: { subscriptions: [aSubscription] } }),
  deleteChannel: (walk) => ({ at: inChannel(walk) }),

  putAuditSink: () => ({
    body: {
      enabled: false,
      https: {
        url: 'https://127.0.0.1:9/audited',
        headers: { Authorization: 'token-of-the-audited-sink' },
      },
    },
  }),
  testAuditSink: () => ({}),
  deleteAuditSink: () => ({}),

  createApiKey: async (walk) => ({ body: await newKey(walk, 'audited') }),
  updateApiKeySecurity: (walk) => ({ at: { api_key_id: walk.made('createApiKey') }, body: addresses }),
  rotateApiKey: (walk) => ({ at: { api_key_id: walk.made('createApiKey') }, body: {} }),
  deleteApiKey: madeBy('createApiKey', 'api_key_id'),

  createRole: () => ({ body: { name: 'audited', permissions: { tenant: ['info:read'] } } }),
  updateRole: (walk) => ({ at: { role_id: walk.made('createRole') }, body: { name: 'audited anew' } }),
  assignRole: async (walk) => ({
    at: { role_id: walk.made('createRole') },
    body: { members: [await walk.colleague()] },
  }),
  revokeRole: async (walk) => ({
    at: { role_id: walk.made('createRole') },
    body: { members: [await walk.colleague()] },
  }),
  deleteRole: madeBy('createRole', 'role_id'),
  updateMember: async (walk) => ({ at: { member_id: await walk.colleague() }, body: { active: false } }),
  deleteMember: async (walk) => ({ at: { member_id: await walk.colleague() } }),
  approveJoinRequest: async (walk) => ({ at: { join_request_id: await walk.joinRequest('approved') } }),
  rejectJoinRequest: async (walk) => ({ at: { join_request_id: await walk.joinRequest('rejected') } }),
  createInvitation: async (walk) => ({
    body: { email: 'audited@example.com', roles: [await walk.roleId('viewer')] },
  }),
  deleteInvitation: madeBy('createInvitation', 'invitation_id'),

  createCloudAccount: () => ({
    body: {
      ...{ cloud: 'cloud_a', name: 'audited', account_id: toAccount.account_id },
      settings: {
        cloud_a: {
          ...{ identity_arn: toAccount.identity_arn, external_id: 'external-id-of-the-audited' },
          ...{ vpc_id: toAccount.vpc_id, vpc_cidr: '10.20.0.0/16' },
        },
      },
    },
  }),
  updateCloudAccount: (walk) => ({
    at: { cloud_account_id: walk.made('createCloudAccount') },
    body: { remarks: 'audited' },
  }),
  deleteCloudAccount: madeBy('createCloudAccount', 'cloud_account_id'),

  createManagedDeployment: (walk) => ({
    body: {
      ...{ name: 'audited', ...walk.regionOf('cloud_b'), tier: 'small', cluster: 'standalone' },
      encrypted: true,
    },
  }),
  createByocDeployment: async (walk) => ({
    body: {
      ...{ name: 'audited-there', ...walk.regionOf('cloud_a'), tier: 'small', cluster: 'standalone' },
      cloud_a: { ...toAccount, vpc_cidr: '10.20.0.0/16', external_id: await walk.externalId() },
    },
  }),
  createNodeEnrolment: async (walk) => {
    const deployment_id = walk.made('createByocDeployment');
    return { at: { deployment_id, node_id: await walk.nodeOf(deployment_id) } };
  },
  updateDeployment: () => ({ body: { description: 'audited' } }),
  setSpendLimit: () => ({ body: { spend_limit: 250 } }),
  setRetention: () => ({ body: { retention: { telemetry_days: 30 } } }),

  activateConnector: () => ({
    body: {
      ...{ connector_key: 'http', connector_type: 'sink' },
      ...{ instance_name: 'Audited', instance_key: 'audited' },
    },
  }),
  createAccessRule: () => ({
    body: {
      ...{ name: 'audited', cidr_blocks: ['192.0.2.0/24'] },
      rules: { broker_http: false, broker_tcp: true, broker_websocket: false, broker_udp: false },
    },
  }),
  replaceAccessRule: (walk) => ({
    at: { rule_id: walk.made('createAccessRule') },
    body: {
      ...{ name: 'audited', cidr_blocks: ['192.0.2.0/25'] },
      rules: { broker_http: false, broker_tcp: true, broker_websocket: false, broker_udp: false },
    },
  }),
  deleteAccessRule: madeBy('createAccessRule', 'rule_id'),
  createConfig: () => ({
    at: { config_kind: 'connector:sink:audited' },
    body: {
      name: 'audited',
      values: connectorValues,
    },
  }),
  activateConfig: () => ({
    at: { config_kind: 'connector:sink:audited', config_name: 'audited', version: 1 },
  }),
  createTask: () => ({ body: { type: 'connectors:reconfigure' } }),
  deleteConfig: async (walk) => ({
    at: {
      config_kind: 'connector:sink:audited',
      config_id: await walk.anotherConfig('connector:sink:audited', connectorValues),
    },
  }),
  deleteConnectorInstance: madeBy('activateConnector', 'instance_id'),
  createBackup: () => ({ body: { name: 'audited' } }),
  createCloudAPeering: () => ({
    body: {
      ...{ name: 'audited', peer_vpc_id: 'vpc-0a1b2c3d4e5f60718', peer_owner_id: toAccount.account_id },
      peer_vpc_cidr: '172.16.0.0/16',
    },
  }),
  deleteCloudAPeering: madeBy('createCloudAPeering', 'peering_id'),
  createEndpointService: () => ({
    body: { name: 'audited', allowed_principals: [toAccount.account_id] },
  }),
  deleteEndpointService: madeBy('createEndpointService', 'service_id'),
  createCloudBPeering: (walk) => ({
    ...{ cloud: 'cloud_b', at: inSecond(walk) },
    body: {
      ...{ name: 'audited', peer_vpc_name: 'default', peer_project_id: 'acme-streaming' },
      peer_vpc_cidr: '172.16.0.0/16',
    },
  }),
  deleteCloudBPeering: (walk) => ({
    cloud: 'cloud_b',
    at: { ...inSecond(walk), peering_id: walk.made('createCloudBPeering') },
  }),
  createServiceAttachment: (walk) => ({
    ...{ cloud: 'cloud_b', at: inSecond(walk) },
    body: {
      ...{ name: 'audited', connection_preference: 'accept_manual' },
      consumer_accept_lists: ['acme-streaming'],
    },
  }),
  deleteServiceAttachment: (walk) => ({
    cloud: 'cloud_b',
    at: { ...inSecond(walk), attachment_id: walk.made('createServiceAttachment') },
  }),
  setBackupSchedule: () => ({ body: { enabled: true, cron: '30 2 * * 1-5', keep: 2 } }),
  rotateCertificates: () => ({}),
  getCredentials: () => ({}),
  rotateCredentials: () => ({ body: { grace_seconds: 0 } }),
  createSnapshot: () => ({ body: {} }),
  deleteSnapshot: async (walk) => ({ at: { snapshot_id: await walk.newest('snapshots') } }),
  restoreBackup: madeBy('createBackup', 'backup_id'),
  deleteBackup: madeBy('createBackup', 'backup_id'),
  createActivity: () => ({ at: { runtime: 'broker', action: 'restart' }, body: {} }),
  rotateEncryptionKey: (walk) => ({ cloud: 'cloud_b', at: inSecond(walk) }),
  upgradeDeployment: (walk) => ({ at: inSecond(walk), body: { tier: 'medium' } }),
  acceptDataLoss: async (walk) => ({ at: { node_id: await walk.lostNode() } }),
  retryDeployment: async (walk) => {
    await walk.fail();
    return {};
  },
  deleteDeployment: () => ({}),
  createStarterDeployment: (walk) => ({ body: { ...walk.regionOf('cloud_b'), environment_name: 'audited' } }),
  deleteTenant: () => ({ byOther: true }),
};

/** Those that no call can succeed with here, by why. */
export const uncallable: Record<string, string> = {
  extendDeployment: 'no deployment of several nodes is offered yet',
};
