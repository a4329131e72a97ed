import { z } from 'zod';
import { channelKinds } from './channels.ts';
import { connectorTypes } from './connectors.ts';
import { cloudSchema } from './clouds.ts';
import { protocols } from './deployment.ts';
import {
  apiKeyIdSchema,
  backupIdSchema,
  budgetIdSchema,
  channelIdSchema,
  channelSubscriptionIdSchema,
  configIdSchema,
  connectorInstanceIdSchema,
  deploymentIdSchema,
  divisionIdSchema,
  environmentIdSchema,
  networkLinkIdSchema,
  nodeIdSchema,
  refSchema,
  roleIdSchema,
  taskIdSchema,
  tenantIdSchema,
  userIdSchema,
} from './ids.ts';
import { labelsSchema } from './labels.ts';
import { tiers } from './plan.ts';

/**
 * The facts that Sluice records and tells people about (interface, section 6). One table: its keys are the event
 * types of `/audit/types` and, where `notification` is set, of `/notifications/types`.
 */

/** Who may say an event beside main-api, which may say all. */
export type Speaker = 'region' | 'notifier' | 'audit';

export interface EventType<Data extends z.ZodType = z.ZodType, Notifies extends boolean = boolean> {
  /** the label that people read */
  name: string;
  /** recorded in the audit log */
  audit: boolean;
  /** can be subscribed to by a notification channel */
  notification: Notifies;
  saidBy?: Speaker | readonly Speaker[] | undefined;
  data: Data;
}

type Kind = 'audit' | 'notification';
type Notifies<Kinds extends readonly Kind[]> = 'notification' extends Kinds[number] ? true : false;

const event = <Data extends z.ZodType, const Kinds extends readonly Kind[]>(
  name: string,
  kinds: Kinds,
  data: Data,
  saidBy?: Speaker | readonly Speaker[],
) =>
  ({
    name,
    audit: kinds.includes('audit'),
    notification: kinds.includes('notification'),
    saidBy,
    data,
  }) as EventType<Data, Notifies<Kinds>>;

const both = ['audit', 'notification'] as const;
const audit = ['audit'] as const;
const notification = ['notification'] as const;

const named = z.object({ name: z.string() });
/** those that have none leave them out */
const labelled = { labels: labelsSchema.optional() };
const fields = z.record(z.string(), z.unknown());
/** the fields that an update changed, by name, with their new values and those that they had */
const changed = z.object({ changes: fields, former: fields });
const apiKey = z.object({
  name: z.string(),
  role_id: roleIdSchema,
  division_id: divisionIdSchema.optional(),
});
/** its settings are never sent: of a change of them, only that there was one */
const cloudAccount = z.object({ name: z.string(), cloud: cloudSchema, account_id: z.string() });
const connector = z.object({
  instance_id: connectorInstanceIdSchema,
  connector_type: z.enum(connectorTypes),
  connector_key: z.string(),
  name: z.string(),
  key: z.string(),
});
/** a version of a named configuration, without its values */
const config = z.object({
  config_id: configIdSchema,
  kind: z.string(),
  name: z.string(),
  version: z.int(),
});
const credit = z.object({ credit_id: z.int(), amount_usd: z.string(), reason: z.string() });
/** in whole months; without an end it goes on */
const discount = z.object({
  discount_id: z.int(),
  percent: z.string(),
  valid_from: z.iso.datetime(),
  valid_to: z.iso.datetime().nullable(),
  reason: z.string(),
});
/** what operators tell everybody of a failure; without regions it is about the whole installation */
const incident = z.object({
  incident_id: z.int(),
  title: z.string(),
  impact: z.enum(['degraded', 'outage']),
  message: z.string(),
  regions: z.array(z.object({ cloud: cloudSchema, region: z.string() })),
});
/** a region that takes no new deployments, and what its operator says of that */
const drainedRegion = z.object({ cloud: cloudSchema, region: z.string(), reason: z.string().optional() });
/** what the month of a budget has cost, or will cost, of at most its amount; US dollars */
const budget = named.extend({ budget_id: budgetIdSchema, month: z.string(), amount: z.string() });
const role = z.object({ role: refSchema(roleIdSchema) });
/** a notification channel, without its destination and settings, which may be secret */
const channel = z.object({ channel_id: channelIdSchema, channel: z.enum(channelKinds), name: z.string() });
const channelSubscription = channel.extend({
  subscription_id: channelSubscriptionIdSchema,
  message_types: z.array(z.string()),
});
/** the tenant's name, for channels of others: its own log needs none */
const ofTenant = { tenant: z.string().meta({ unrecorded: true }) };
/** roles by name */
const invitation = z.object({ email: z.string(), roles: z.array(z.string()) });
const toldInvitation = invitation.extend(ofTenant);
const storage = z.object({ type: z.string(), size: z.int().nullable() });
const upgrade = z.object({
  from_tier: z.enum(tiers),
  to_tier: z.enum(tiers),
  from_storage: storage,
  to_storage: storage,
  /** of an extension */
  nodes_before: z.int().min(0).optional(),
  nodes_after: z.int().min(0).optional(),
});
const usage = z.object({
  name: z.string(),
  code: z.string(),
  node: refSchema(nodeIdSchema),
  /** of the last sample, and from which on an alert is raised */
  percent: z.number(),
  threshold: z.number(),
  /** since when it was too much */
  since: z.iso.datetime(),
});
/** a consumer to which the broker has not given messages yet: how many when it was reported last, and from how many on it is said */
const consumerLag = z.object({
  name: z.string(),
  code: z.string(),
  stream: z.string(),
  consumer: z.string(),
  pending: z.int(),
  threshold: z.int(),
  /** since when it lagged */
  since: z.iso.datetime(),
});
const brokerSession = z.object({
  name: z.string(),
  code: z.string(),
  session: z.uuid(),
  /** of the caller */
  address: z.string(),
});
const reachability = z.object({
  name: z.string(),
  code: z.string(),
  node: refSchema(nodeIdSchema),
  runtime: z.enum(['node', 'agent', 'gateway', 'broker', 'connectors']),
  /** since when it was away */
  since: z.iso.datetime(),
  /** of one connector alone */
  connector_instance_id: connectorInstanceIdSchema.optional(),
  connector_instance_name: z.string().optional(),
  connector_key: z.string().optional(),
});
const accessRule = z.object({
  cidrs: z.array(z.string()),
  description: z.string().optional(),
  rules: z.record(z.enum(protocols), z.boolean()),
});
/** work on machines, for which brokers of a deployment are stopped one node after the other */
const maintenance = z.object({
  maintenance_id: z.int().positive(),
  name: z.string(),
  code: z.string(),
  nodes: z.array(refSchema(nodeIdSchema)),
  starts_at: z.iso.datetime(),
  /** how long it is expected to take */
  minutes: z.int().positive(),
  reason: z.string().optional(),
});
/** a private way to a deployment, and who is at the other end of it */
const networkLink = z.object({
  link_id: networkLinkIdSchema,
  name: z.string(),
  cloud: cloudSchema,
});
/** the remarks of the person who made it; absent where there are none */
const remarked = { description: z.string().optional() };
const vpcPeering = networkLink.extend({
  ...remarked,
  peer_network: z.string(),
  peer_owner: z.string(),
  cidr: z.string(),
});
const privateLink = networkLink.extend({ ...remarked, allowed: z.array(z.string()) });
const linkStatus = networkLink.extend({
  from: z.string(),
  status: z.string(),
  reason: z.string().optional(),
});
/** an action on nodes: one task for each */
const submission = z.object({
  runtime: z.string(),
  /** `restart`, or `reconfigure:17` with the id of a configuration */
  action: z.string(),
  tasks: z.array(z.object({ id: taskIdSchema, node: refSchema(nodeIdSchema) })),
});
/** a diagnostic report: of each of these nodes one entry */
const snapshot = z.object({ name: z.string(), nodes: z.array(refSchema(nodeIdSchema)) });

/** those that answer keys, beside main-api */
const layers = ['region', 'audit'] as const;

/** an attempt that was refused: in its window, as often as `times` says since `since` */
const refused = z.object({
  /** what was asked for, as its OpenAPI document names it */
  operation: z.string(),
  /** of the problem that it was answered with */
  code: z.string(),
  /** what its path names, by the names of the parameters; empty where there were too many to tell apart */
  ids: z.record(z.string(), z.int()),
  /** from which address */
  address: z.string(),
  since: z.iso.datetime(),
  times: z.int().min(1),
});

/** US dollars, exact */
const money = z.string().regex(/^\d{1,12}\.\d{2}$/);
/** an invoice whose payment is late, or has failed */
const unpaid = z.object({ invoice: z.string(), amount: money });
/** how a tenant pays; of a card no more than its owner needs to know it by */
const paymentMethod = z.object({
  kind: z.enum(['card', 'agreement']),
  brand: z.string().optional(),
  last4: z.string().optional(),
  /** days from the issue of an invoice to its end */
  term_days: z.int().optional(),
});

const schedule = z.object({ enabled: z.boolean(), cron: z.string(), keep: z.int() });
/** where a tenant's audit log is sent to; its secrets are never sent */
const auditSink = z.object({ kind: z.string(), destination: z.string() });

const backup = z.object({
  backup_id: backupIdSchema,
  name: z.string(),
  /** manual, scheduled, pre_upgrade */
  backup_type: z.string(),
  ...remarked,
});

export const eventTypes = {
  tenant_created: event('Tenant created', audit, named),
  tenant_updated: event('Tenant updated', audit, changed),
  tenant_config_updated: event('Tenant configuration updated', both, changed.extend(ofTenant)),
  /**
   * the final event of a tenant: every service deletes what it keeps of it, and its audit log is closed, to be kept for as many
   * days as the tenant's plan said
   */
  tenant_deleted: event(
    'Tenant deleted',
    audit,
    named.extend({ audit_retention_days: z.int().min(0).max(36_500) }),
  ),
  /** without the code, which stands in the mail alone */
  protection_code_requested: event(
    'Protection code requested',
    audit,
    z.object({
      action: z.enum(['delete_tenant', 'delete_division', 'delete_environment', 'delete_deployment']),
    }),
  ),
  subscription_updated: event('Subscription updated', audit, changed),
  /** the names of the fields alone: their values are personal data */
  billing_info_updated: event(
    'Billing information updated',
    audit,
    z.object({ fields: z.array(z.string()) }),
  ),
  /** a page of the payment provider, on which a card can be saved, was opened */
  payment_intent_created: event('Payment intent created', audit, z.object({ expires_at: z.iso.datetime() })),
  payment_method_updated: event('Payment method updated', audit, paymentMethod),
  payment_method_deleted: event('Payment method deleted', audit, paymentMethod),
  invoice_paid: event('Invoice paid', audit, unpaid.extend({ by: z.enum(['card', 'transfer']) })),
  /** a card was not charged; null: that is not tried again with this card */
  payment_failed: event(
    'Payment failed',
    both,
    unpaid.extend({ reason: z.string(), next_attempt_at: z.iso.datetime().nullable() }),
  ),
  /** nothing that costs more can be created until the invoice is paid */
  payment_overdue: event('Payment overdue', both, unpaid),
  /** by the operator; the deployments are stopped, and keep their data */
  tenant_suspended: event('Tenant suspended', audit, z.object({ reason: z.string() })),
  tenant_resumed: event('Tenant resumed', audit, z.object({})),
  invoice_issued: event(
    'Invoice issued',
    both,
    /** the month as people read it, such as `November 2026` */
    z.object({
      invoice_id: z.int(),
      reference: z.string(),
      month: z.string(),
      total_usd: z.string(),
      due_at: z.iso.datetime(),
      /** who has closed the month; absent where it was closed because all regions had reported it, or after five days */
      closed_by: z.literal('operator').optional(),
    }),
  ),
  /** an operator lowers what the tenant pays, and takes that back */
  credit_given: event('Credit given', audit, credit.extend({ expires_at: z.iso.datetime().nullable() })),
  credit_withdrawn: event('Credit withdrawn', audit, credit),
  discount_given: event('Discount given', audit, discount),
  discount_ended: event('Discount ended', audit, discount),
  /** a price list is valid for the tenant from a time on; null: the list of all tenants again, in place of its own */
  prices_announced: event(
    'Prices announced',
    both,
    z.object({ list: z.int().nullable(), valid_from: z.iso.datetime() }),
  ),
  /** a budget has reached 50, 80 or 100 % of its amount, once a month each */
  billing_budget_reached: event(
    'Billing budget reached',
    both,
    budget.extend({ percent: z.int(), spent: z.string() }),
  ),
  /** the month of a budget is expected to cost more than its amount; once a month */
  billing_budget_forecast: event('Billing budget forecast', both, budget.extend({ forecast: z.string() })),
  billing_budget_created: event('Billing budget created', audit, named.extend({ budget_id: budgetIdSchema })),
  billing_budget_updated: event(
    'Billing budget updated',
    audit,
    named.extend({ budget_id: budgetIdSchema }).extend(changed.shape),
  ),
  billing_budget_deleted: event('Billing budget deleted', audit, named.extend({ budget_id: budgetIdSchema })),
  /** an operator has asked the region for usage that main-api lacks */
  billing_usage_requested: event('Billing usage requested', audit, named),
  /**
   * what the plan allows from now on, for services that have to know: at its creation, after a change of plan, agreement or
   * catalogue. Not recorded, and for no other service. The highest version counts.
   */
  tenant_features_updated: event(
    'Tenant features updated',
    [],
    z.object({
      version: z.int().positive(),
      features: z.looseObject({ audit_retention_days: z.int().min(0), audit_export_enabled: z.boolean() }),
    }),
  ),
  division_created: event('Division created', both, named.extend(labelled)),
  division_updated: event('Division updated', both, changed),
  division_deleted: event('Division deleted', both, named),
  environment_created: event('Environment created', both, named.extend(labelled)),
  environment_updated: event('Environment updated', both, changed),
  environment_deleted: event('Environment deleted', both, named),
  /** a person whose address is of the tenant's domain became a member by the join policy `open` */
  member_joined: event(
    'Member joined',
    both,
    z.object({ email: z.string(), roles: z.array(z.string()), ...ofTenant }),
  ),
  member_left: event('Member left', audit, z.object({ email: z.string() })),
  tenant_join_requested: event('Tenant join requested', both, z.object({ email: z.string(), ...ofTenant })),
  join_request_approved: event(
    'Join request approved',
    audit,
    z.object({ email: z.string(), roles: z.array(z.string()) }),
  ),
  join_request_rejected: event('Join request rejected', audit, z.object({ email: z.string() })),
  role_created: event('Role created', audit, named),
  role_updated: event('Role updated', audit, named.extend(changed.shape)),
  role_deleted: event('Role deleted', audit, named),
  role_assigned: event('Role assigned', audit, role),
  role_revoked: event('Role revoked', audit, role),
  member_updated: event('Member updated', audit, changed),
  /** for these, the member is author and user in one */
  member_signed_in: event(
    'Member signed in',
    audit,
    /** `machine`: of a terminal, what it calls itself */
    z.object({ source: z.string(), machine: z.string().optional() }),
  ),
  /** how many sessions ended, in however many browsers */
  member_signed_out: event('Member signed out', audit, z.object({ sessions: z.int() })),
  /** from then on another identity provider signs the member in */
  provider_linked: event('Identity provider linked', audit, z.object({ source: z.string() })),
  provider_unlinked: event('Identity provider unlinked', audit, z.object({ source: z.string() })),
  /** the defaults that a person has set for themselves, recorded where they are a member; ids of other tenants are left out */
  account_settings_updated: event('Account settings updated', audit, changed),
  member_removed: event('Member removed', audit, z.object({ email: z.string() })),
  member_invited: event('Member invited', audit, invitation),
  invitation_created: event('Invitation created', notification, toldInvitation),
  invitation_accepted: event('Invitation accepted', both, toldInvitation),
  invitation_rejected: event('Invitation rejected', both, toldInvitation),
  invitation_deleted: event('Invitation deleted', audit, invitation),
  /** a mail about something of the tenant was refused for good, was not accepted for a day, or has come back */
  mail_undeliverable: event(
    'Mail undeliverable',
    audit,
    z.object({ template: z.string(), email: z.string(), reason: z.string() }),
  ),
  api_key_created: event('API key created', audit, apiKey),
  api_key_deleted: event('API key deleted', audit, apiKey),
  api_key_rotated: event('API key rotated', audit, apiKey.extend({ grace_seconds: z.int() })),
  api_key_security_updated: event('API key security updated', audit, named.extend(changed.shape)),
  /** an operator has decided about a difference that was found after a restore of main-api's database */
  restore_difference_decided: event(
    'Restore difference decided',
    audit,
    z.object({ kind: z.string(), about: z.string(), decision: z.enum(['applied', 'rejected']) }),
  ),
  /** an operator has a region take no new deployments, and again: in the log of each tenant that has deployments there */
  /** in the log of each tenant with deployments in the regions that it is about */
  incident_opened: event('Incident opened', audit, incident),
  incident_updated: event('Incident updated', audit, incident),
  incident_resolved: event('Incident resolved', audit, incident),
  region_drained: event('Region drained', both, drainedRegion),
  region_undrained: event('Region undrained', both, drainedRegion),
  cloud_account_created: event('Cloud account created', audit, cloudAccount),
  cloud_account_updated: event('Cloud account updated', audit, named.extend(changed.shape)),
  cloud_account_deleted: event('Cloud account deleted', audit, cloudAccount),
  channel_created: event('Notification channel created', audit, channel),
  /** of a change of destination or settings, only that there was one */
  channel_updated: event('Notification channel updated', audit, channel.extend(changed.shape)),
  channel_deleted: event('Notification channel deleted', audit, channel),
  channel_tested: event('Notification channel tested', audit, channel),
  /** the address of a mail channel wants no mails of the tenant's channels any more, and that it takes them again after all */
  channel_unsubscribed: event('Notification channel unsubscribed', both, channel, 'notifier'),
  channel_resubscribed: event('Notification channel resubscribed', audit, channel, 'notifier'),
  channel_subscription_created: event('Notification subscription created', audit, channelSubscription),
  channel_subscription_deleted: event('Notification subscription deleted', audit, channelSubscription),
  /** all subscriptions of a channel at once; how many there are now */
  channel_subscriptions_replaced: event(
    'Notification subscriptions replaced',
    audit,
    channel.extend({ subscriptions: z.int() }),
  ),
  deployment_created: event(
    'Deployment created',
    both,
    z.object({
      cloud: cloudSchema,
      area: z.string(),
      region: z.string(),
      variant: z.enum(['managed', 'byoc']),
      tier: z.enum(tiers),
      cluster_kind: z.enum(['standalone', 'cluster']),
      public_ip: z.boolean(),
      storage_type: z.string(),
      storage_size: z.int().nullable(),
      target_network_tput: z.int().optional(),
      encrypted: z.boolean(),
      protected: z.boolean(),
      ...labelled,
      retention: z.object({
        telemetry: z.object({ logs_days: z.int(), metrics_days: z.int(), heartbeats_days: z.int() }),
      }),
      code: z.string(),
      name: z.string(),
      domain: z.string().optional(),
      nodes: z.array(
        z.object({
          id: nodeIdSchema,
          name: z.string(),
          image_id: z.string(),
          variant: z.string(),
          storage_type: z.string(),
        }),
      ),
    }),
  ),
  deployment_initialized: event(
    'Deployment initialized',
    both,
    z.object({ name: z.string(), code: z.string() }),
    'region',
  ),
  deployment_failed: event(
    'Deployment failed',
    audit,
    z.object({ name: z.string(), code: z.string(), reason: z.string() }),
    'region',
  ),
  /** an upgrade was requested; one of the next two is its outcome */
  deployment_upgrade_requested: event('Deployment upgrade requested', audit, upgrade),
  deployment_upgraded: event('Deployment upgraded', both, upgrade),
  /** it has its former tier and storage: rolled back, or not even that without trouble */
  deployment_upgrade_failed: event(
    'Deployment upgrade failed',
    audit,
    upgrade.extend({ rolled_back: z.boolean(), reason: z.string() }),
  ),
  /** main-api, restored from an older copy, has taken over what the region has made of the deployment since */
  deployment_adopted: event(
    'Deployment adopted',
    audit,
    upgrade.extend({ exceeded_limits: z.array(z.string()) }),
  ),
  deployment_updated: event('Deployment updated', audit, changed),
  deployment_spend_limit_updated: event('Deployment spend limit updated', audit, changed),
  deployment_retention_updated: event('Deployment retention updated', audit, changed),
  /** its region was restored from an older copy, or has lost the deployment: rules and login are as they were before that */
  deployment_restored: event(
    'Deployment restored',
    both,
    z.object({
      name: z.string(),
      code: z.string(),
      /** whether the region had lost the deployment */
      rebuilt: z.boolean(),
      login_changed: z.boolean(),
      access_rules_deleted: z.int(),
      access_rules_restored: z.int(),
    }),
    'region',
  ),
  /** nothing is left of nodes that have held data; they are not made anew before a user accepts the loss */
  deployment_data_lost: event(
    'Deployment data lost',
    both,
    z.object({ name: z.string(), code: z.string(), nodes: z.array(refSchema(nodeIdSchema)) }),
    'region',
  ),
  /** nodes of a cluster whose data was gone start empty: the others have all of it */
  deployment_nodes_rebuilt: event(
    'Deployment nodes rebuilt',
    audit,
    z.object({ name: z.string(), code: z.string(), nodes: z.array(refSchema(nodeIdSchema)) }),
    'region',
  ),
  /** a user lets a node start empty */
  deployment_data_loss_accepted: event(
    'Deployment data loss accepted',
    audit,
    z.object({ name: z.string(), code: z.string(), node: refSchema(nodeIdSchema) }),
    'region',
  ),
  /** a user got the one-time command that makes a machine this node */
  node_enrolment_issued: event(
    'Node enrolment issued',
    audit,
    z.object({
      name: z.string(),
      code: z.string(),
      node: refSchema(nodeIdSchema),
      expires_at: z.iso.datetime(),
    }),
    'region',
  ),
  /** a user had what failed tried again at once */
  deployment_retried: event(
    'Deployment retried',
    audit,
    z.object({ name: z.string(), code: z.string() }),
    'region',
  ),
  /** a user requested another certificate; `deployment_certificates_rotated` follows when it is there */
  deployment_certificate_rotation_requested: event(
    'Deployment certificate rotation requested',
    audit,
    z.object({ name: z.string(), code: z.string() }),
    'region',
  ),
  /** its nodes get another certificate */
  deployment_certificates_rotated: event(
    'Deployment certificates rotated',
    both,
    z.object({ name: z.string(), code: z.string(), not_after: z.iso.datetime() }),
    'region',
  ),
  /** the login before is good until `former_valid_to` */
  deployment_secrets_rotated: event(
    'Deployment secrets rotated',
    both,
    z.object({ name: z.string(), code: z.string(), former_valid_to: z.iso.datetime() }),
    'region',
  ),
  /** a person or a key was shown the login of its clients */
  credentials_read: event(
    'Credentials read',
    audit,
    z.object({ name: z.string(), code: z.string() }),
    'region',
  ),
  /** the key for data at rest has another version; the deployment's condition says when all data is encrypted with it */
  deployment_encryption_key_rotated: event(
    'Deployment encryption key rotated',
    audit,
    z.object({ name: z.string(), code: z.string(), version: z.int().positive() }),
    'region',
  ),
  /** it could not be renewed, and ends soon */
  certificate_expiring: event(
    'Certificate expiring',
    both,
    z.object({ name: z.string(), code: z.string(), not_after: z.iso.datetime(), reason: z.string() }),
    'region',
  ),
  /** what it has cost in this month is as much as it may; it is stopped until the month is over or its limit is raised */
  billing_limit_reached: event(
    'Billing limit reached',
    both,
    z.object({
      name: z.string(),
      code: z.string(),
      /** US dollars a month, and what it has cost since the month began */
      spend_limit: z.number(),
      spent: z.number(),
      /** when the next month begins (UTC) */
      until: z.iso.datetime(),
    }),
    'region',
  ),
  /** it has cost 80 % of its spend limit; once a month */
  billing_limit_near: event(
    'Billing limit near',
    both,
    z.object({
      name: z.string(),
      code: z.string(),
      /** US dollars a month, and what it has cost since the month began */
      spend_limit: z.number(),
      spent: z.number(),
      percent: z.int(),
    }),
    'region',
  ),
  /** all its brokers are stopped, by a user, or since its spend limit is reached */
  deployment_stopped: event(
    'Deployment stopped',
    audit,
    z.object({ name: z.string(), code: z.string() }),
    'region',
  ),
  /** a broker of one that was stopped runs again */
  deployment_started: event(
    'Deployment started',
    audit,
    z.object({ name: z.string(), code: z.string() }),
    'region',
  ),
  /** its nodes could not be removed in time; that is tried on, and `deployment_deleted` has been said long ago */
  deployment_deletion_overdue: event(
    'Deployment deletion overdue',
    audit,
    z.object({ name: z.string(), code: z.string(), reason: z.string() }),
    'region',
  ),
  deployment_deleted: event(
    'Deployment deleted',
    both,
    z.object({ name: z.string(), code: z.string(), reason: z.string().optional() }),
  ),
  /** something of a node has been too much for some minutes; the event that resolves it says what it is now */
  high_cpu_usage: event('High CPU usage', notification, usage, 'region'),
  high_memory_usage: event('High memory usage', notification, usage, 'region'),
  high_disk_usage: event('High disk usage', notification, usage, 'region'),
  cpu_usage_resolved: event('CPU usage resolved', notification, usage, 'region'),
  memory_usage_resolved: event('Memory usage resolved', notification, usage, 'region'),
  disk_usage_resolved: event('Disk usage resolved', notification, usage, 'region'),
  /** nothing is heard of a node's agent; or its broker, its connectors runtime or one connector does not run */
  node_unreachable: event('Node unreachable', notification, reachability, 'region'),
  node_reachable: event('Node reachable', notification, reachability, 'region'),
  consumer_lag_high: event('Consumer lag high', notification, consumerLag, 'region'),
  consumer_lag_high_resolved: event('Consumer lag resolved', notification, consumerLag, 'region'),
  /** an operator announces work on machines; the others are what becomes of it */
  maintenance_planned: event('Maintenance planned', both, maintenance, 'region'),
  maintenance_began: event('Maintenance began', both, maintenance, 'region'),
  maintenance_ended: event('Maintenance ended', both, maintenance, 'region'),
  maintenance_cancelled: event('Maintenance cancelled', both, maintenance, 'region'),
  connector_activated: event('Connector activated', audit, connector),
  /** main-api, restored from an older copy, has learned of it from the region */
  connector_adopted: event('Connector adopted', audit, connector),
  /** the region of the deployment would not have it */
  connector_refused: event('Connector refused', audit, connector.extend({ reason: z.string() })),
  config_created: event('Configuration created', audit, config, 'region'),
  config_activated: event('Configuration activated', audit, config, 'region'),
  config_deleted: event('Configuration deleted', audit, config, 'region'),
  /** nodes could not or would not go by it, and the one before is in force again */
  config_rejected: event('Configuration rejected', audit, config.extend({ reason: z.string() }), 'region'),
  task_created: event('Task created', audit, submission, 'region'),
  activity_created: event('Activity created', audit, submission, 'region'),
  /** requested by a user, by the schedule, or before an upgrade; one of the next two is its outcome */
  backup_created: event('Backup created', audit, backup, 'region'),
  backup_completed: event('Backup completed', audit, backup.extend({ size_bytes: z.int() }), 'region'),
  backup_failed: event('Backup failed', audit, backup.extend({ reason: z.string() }), 'region'),
  /** by a person; `backup_expired`: its time was over, or newer ones have taken its place */
  backup_deleted: event('Backup deleted', audit, backup, 'region'),
  backup_expired: event('Backup expired', audit, backup, 'region'),
  /** backups are taken by themselves at other times from now on, or not any more; `former` is null where there was no schedule */
  backup_schedule_updated: event(
    'Backup schedule updated',
    audit,
    schedule.extend({ former: schedule.nullable() }),
    'region',
  ),
  backup_restore_requested: event('Backup restore requested', audit, backup, 'region'),
  backup_restored: event('Backup restored', audit, backup, 'region'),
  /** the deployment has the data that it had before */
  backup_restore_failed: event(
    'Backup restore failed',
    audit,
    backup.extend({ reason: z.string() }),
    'region',
  ),
  snapshot_created: event('Snapshot created', audit, snapshot, 'region'),
  snapshot_deleted: event('Snapshot deleted', audit, snapshot, 'region'),
  connector_deleted: event('Connector deleted', audit, connector, 'region'),
  /** a caller speaks with the broker by WebSocket through the region; a session that ends with its replica has no end here */
  broker_session_opened: event('Broker session opened', audit, brokerSession, 'region'),
  broker_session_closed: event(
    'Broker session closed',
    audit,
    brokerSession.extend({
      reason: z.string(),
      seconds: z.number(),
      bytes_sent: z.int(),
      bytes_received: z.int(),
    }),
    'region',
  ),
  access_rule_added: event('Access rule added', audit, accessRule, 'region'),
  /** in the terms of the API */
  access_rule_updated: event('Access rule updated', audit, named.extend(changed.shape), 'region'),
  access_rule_deleted: event('Access rule deleted', audit, accessRule, 'region'),
  vpc_peering_created: event('Peering created', audit, vpcPeering, 'region'),
  vpc_peering_deleted: event('Peering deleted', audit, vpcPeering, 'region'),
  /** one of the two sides has done something, or it cannot be */
  vpc_peering_changed: event('Peering changed', audit, linkStatus, 'region'),
  /** an endpoint service */
  private_link_created: event('Private link created', audit, privateLink, 'region'),
  private_link_deleted: event('Private link deleted', audit, privateLink, 'region'),
  private_link_changed: event('Private link changed', audit, linkStatus, 'region'),
  /** a service attachment */
  private_service_created: event('Private service created', audit, privateLink, 'region'),
  private_service_deleted: event('Private service deleted', audit, privateLink, 'region'),
  private_service_changed: event('Private service changed', audit, linkStatus, 'region'),
  audit_sink_updated: event('Audit sink updated', audit, auditSink.extend({ enabled: z.boolean() }), 'audit'),
  audit_sink_deleted: event('Audit sink deleted', audit, auditSink, 'audit'),
  audit_sink_tested: event('Audit sink tested', audit, auditSink, 'audit'),
  /** it has not taken entries for a while, which wait; the next tells that it takes them again */
  audit_sink_failing: event(
    'Audit sink failing',
    both,
    auditSink.extend({ reason: z.string(), since: z.iso.datetime() }),
    'audit',
  ),
  audit_sink_recovered: event(
    'Audit sink recovered',
    both,
    auditSink.extend({ since: z.iso.datetime() }),
    'audit',
  ),
  /** with a wrong code, or while wrong ones have locked what is protected */
  protection_code_refused: event('Protection code refused', audit, refused, layers),
  /** a user has tried to grant what they do not hold */
  privilege_escalation_refused: event('Privilege escalation refused', audit, refused, layers),
  /** at another tenant, or a change of a deployment that the caller's tenant does not have, whether anybody has it or not */
  foreign_access_refused: event('Access outside of the tenant refused', audit, refused, layers),
  /** from an address that is not among those of the key */
  client_address_refused: event('Client address refused', audit, refused, layers),
  /** at what only the owner may do */
  owner_action_refused: event('Owner action refused', audit, refused, layers),
} as const satisfies Record<string, EventType>;

/** What refused attempts are recorded as. */
export type RefusedType = {
  [Type in keyof typeof eventTypes]: Type extends `${string}_refused`
    ? (typeof eventTypes)[Type]['data'] extends typeof refused
      ? Type
      : never
    : never;
}[keyof typeof eventTypes];
/** The same, for what has come. */
export const refusedTypes: ReadonlySet<string> = new Set(
  Object.entries<EventType>(eventTypes).flatMap(([type, { data }]) => (data === refused ? [type] : [])),
);
export type EventTypeName = keyof typeof eventTypes;
/** The types that a channel can subscribe to (interface, 6.1). */
export type NotificationType = {
  [Type in EventTypeName]: (typeof eventTypes)[Type]['notification'] extends true ? Type : never;
}[EventTypeName];
export type EventData<Type extends EventTypeName> = z.infer<(typeof eventTypes)[Type]['data']>;

/** The events that say who is a member, what roles grant and which keys there are: evidence after a restore of main-api's database. */
export const rightsEventTypes = [
  'tenant_deleted',
  'member_joined',
  'join_request_approved',
  'invitation_accepted',
  'invitation_rejected',
  'invitation_deleted',
  'member_removed',
  'member_left',
  'member_updated',
  'role_assigned',
  'role_revoked',
  'role_created',
  'role_updated',
  'role_deleted',
  'api_key_created',
  'api_key_deleted',
  'api_key_rotated',
] as const satisfies EventTypeName[];
export type RightsEventType = (typeof rightsEventTypes)[number];

/** The one envelope of all events. Names travel with the ids, so that no consumer has to look them up. */
export const eventSchema = z.object({
  id: z.uuid(),
  type: z.string(),
  occurred_at: z.iso.datetime(),
  tenant_id: tenantIdSchema,
  division: refSchema(divisionIdSchema).nullable(),
  environment: refSchema(environmentIdSchema).nullable(),
  /** `uid` tells two deployments apart that had the same id */
  deployment: refSchema(deploymentIdSchema).extend({ uid: z.uuid() }).nullable(),
  /** who did it; null for the system */
  author: refSchema(userIdSchema).nullable(),
  /** the user whom it was done to */
  user: refSchema(userIdSchema).nullable(),
  api_key: refSchema(apiKeyIdSchema).nullable(),
  data: z.unknown(),
  correlation_id: z.uuid().nullable(),
});
export type Event = z.infer<typeof eventSchema>;
