import { z } from 'zod';
import { deploymentStatuses, upgradeStatuses, endedUpgradeStatuses } from './statuses.ts';
import { cloudSchema } from './clouds.ts';
import {
  connectorStatuses,
  connectorTypes,
  instanceKeySchema,
  mostConnectorInstances,
  mostReportedPlugins,
} from './connectors.ts';
import {
  brokerResourcesSchema,
  amount,
  deploymentIdentitySchema,
  deploymentOptionsSchema,
  deploymentSpecSchema,
  priceSchema,
  protocols,
  providedOptionsSchema,
  regionSchema,
  storageSchema,
} from './deployment.ts';
import {
  accessRuleIdSchema,
  apiKeyIdSchema,
  connectorInstanceIdSchema,
  deploymentIdSchema,
  nodeIdSchema,
  refSchema,
  tenantIdSchema,
  userIdSchema,
} from './ids.ts';
import { channelInventorySchema } from './channels.ts';
import { mailAboutSchema } from './mails.ts';
import { tiers } from './plan.ts';
import { whole } from './whole.ts';

/**
 * What main-api and the regions tell each other: commands go to a region, reports come back. Both are declarative
 * and numbered, so that a message that comes twice or late changes nothing.
 */

/** On whose behalf and in which request something happens; carried along so that later events can say it. */
export const causeSchema = z.object({
  author: refSchema(userIdSchema).nullable(),
  api_key: refSchema(apiKeyIdSchema).nullable(),
  correlation_id: z.uuid().nullable(),
});
export type Cause = z.infer<typeof causeSchema>;

/** main-api keeps versions of statuses in 32 bits, and the next one has to fit as well */
const mostVersion = 2 ** 31 - 2;
/** Ids that a region can make main-api pass by: above them there is still room for more than will ever be. */
export const mostId = 1e12;
const seenId = z.int().min(0).max(mostId);

/** An instance of a connector that is to be on a deployment. */
export const activatedConnectorSchema = z.object({
  id: connectorInstanceIdSchema,
  connector_type: z.enum(connectorTypes),
  /** one that the release of the region may not know */
  connector_key: z.string().min(1).max(63),
  name: z.string().min(1).max(200),
  key: instanceKeySchema,
  created_at: z.iso.datetime(),
});
export type ActivatedConnector = z.infer<typeof activatedConnectorSchema>;

const sealedLoginSchema = z.object({
  username: z.string().max(200),
  /** with a key that only the region has */
  sealed_password: z.string().max(4_000),
});

/** access rules that a copy of them may have */
const mostRules = 2_000;

/** Who may reach a deployment. The region has it, and main-api keeps a copy for it. What has a greater revision is newer. */
export const accessSchema = z.object({
  revision: z.int().positive(),
  login: sealedLoginSchema,
  former_logins: z.array(sealedLoginSchema.extend({ valid_to: z.iso.datetime() })).max(20),
  rules: z
    .array(
      z.object({
        id: accessRuleIdSchema,
        name: z.string().max(200),
        remarks: z.string().max(500).nullable(),
        protocols: z.array(z.enum(protocols)).max(protocols.length),
        cidr_blocks: z.array(z.string().max(18)).max(100),
        valid_to: z.iso.datetime().nullable(),
        created_at: z.iso.datetime(),
      }),
    )
    .max(mostRules),
});
export type Access = z.infer<typeof accessSchema>;

/** A time in which a deployment has run at one price, within a month of the calendar (UTC), and what it was. */
const usedSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  price: priceSchema,
  tier: z.enum(tiers),
  nodes: z.int().min(1).max(100),
  storage: storageSchema,
  /** what else the price depends on; absent of a release that does not report it */
  target_network_tput: amount.nullable().optional(),
  availability_mode: deploymentOptionsSchema.shape.availability_mode.unwrap().optional(),
  telemetry_days: amount.optional(),
});
export type Used = z.infer<typeof usedSchema>;

/** since when the region's database knows all that has happened there: it was made then, or restored last; absent: since ever */
const knownSinceSchema = z.iso.datetime().optional();

/** intervals of usage of one deployment that main-api gives back to a region; a deployment has a few a month */
export const mostUsed = 1_000;

export const commandSchemas = {
  /** Bring this deployment into this shape. The highest generation wins. What is stored of it is stored whole. */
  deployment_apply: z.object({
    generation: z.int().positive(),
    deployment: whole(deploymentSpecSchema),
    cause: whole(causeSchema),
    /** report the status anew, under a version above this one: what main-api knows of it is not what the region said last */
    report_above: z.int().min(0).max(mostVersion).optional(),
    /** the copy that main-api has kept, where the inventory showed that the region may not have it */
    access: whole(accessSchema).optional(),
    /** the question of the inventory that this answers */
    access_question: z.uuid().optional(),
    /** what main-api knows of its usage since `usage_since` of the inventory, where the region asks, or does not have the deployment */
    usage: z.array(usedSchema).max(mostUsed).optional(),
  }),
  /**
   * Give this deployment, once it runs, another tier and storage. Carried out once per `upgrade_id`, however often it comes; one that
   * comes again has its end reported again. Of shapes with a lower generation tier, storage and resources no longer count.
   */
  upgrade_deployment: deploymentIdentitySchema.extend({
    tenant_id: tenantIdSchema,
    deployment_id: deploymentIdSchema,
    generation: z.int().positive(),
    upgrade_id: z.uuid(),
    tier: z.enum(tiers),
    tier_resources: whole(brokerResourcesSchema),
    storage: whole(storageSchema),
    cause: whole(causeSchema),
  }),
  /**
   * Take the nodes of this deployment's shape that it has not had before for an extension, which has an end like an upgrade. Carried out
   * once per `upgrade_id`, however often it comes.
   */
  extend_deployment: deploymentIdentitySchema.extend({
    tenant_id: tenantIdSchema,
    deployment_id: deploymentIdSchema,
    generation: z.int().positive(),
    upgrade_id: z.uuid(),
    /** how many there shall be */
    nodes_after: z.int().min(1).max(100),
    cause: whole(causeSchema),
  }),
  /** Remove this deployment with everything that belongs to it. Final: no earlier or later command changes it. */
  deployment_delete: deploymentIdentitySchema.extend({
    deployment_id: deploymentIdSchema,
    cause: whole(causeSchema),
  }),
  /**
   * main-api knows nothing of this deployment, which the region has named in its inventory: neither that it is wanted nor that it was
   * deleted. Sent again at each inventory.
   */
  deployment_unknown: deploymentIdentitySchema.extend({ deployment_id: deploymentIdSchema }),
  /** Bring this instance of a connector onto a deployment. The region answers by `connector_activation`, each time that this comes. */
  connector_activate: deploymentIdentitySchema.extend({
    deployment_id: deploymentIdSchema,
    instance: activatedConnectorSchema,
    cause: whole(causeSchema),
  }),
  /** The region has reported that this instance was deleted, and its inventory names it: it was restored from an older copy. */
  connector_delete: deploymentIdentitySchema.extend({
    deployment_id: deploymentIdSchema,
    instance_id: connectorInstanceIdSchema,
  }),
} as const;
export type CommandType = keyof typeof commandSchemas;
export type CommandData<Type extends CommandType> = z.infer<(typeof commandSchemas)[Type]>;

/** The numbers that main-api has given out, by the table that they are ids of: what is the highest that a region knows. */
export const highestIdsSchema = z.object({
  tenants: seenId,
  divisions: seenId,
  environments: seenId,
  deployments: seenId,
  deployment_nodes: seenId,
  connector_instances: seenId,
});
export type HighestIds = z.infer<typeof highestIdsSchema>;

/** deployments in one part of an inventory */
export const mostInventoried = 1_000;

/** What a region has made of a deployment. main-api compares it with its catalogue before it believes it. */
const inventoriedShapeSchema = z.object({
  /** one of `tiers`, or one that a newer release has besides */
  tier: z.string().max(40),
  cluster: z.enum(['standalone', 'cluster']),
  storage: storageSchema,
  nodes: z.array(refSchema(nodeIdSchema)).max(100),
});
export type InventoriedShape = z.infer<typeof inventoriedShapeSchema>;

/** An upgrade or extension, as a region's inventory names it. */
const inventoriedUpgradeSchema = z.object({
  id: z.uuid(),
  tier: z.string().max(40),
  storage: storageSchema,
  /** of an extension: how many nodes there shall be */
  nodes_after: z.int().min(1).max(100).nullable(),
  status: z.enum(upgradeStatuses),
  reason: z.string().max(1_000).nullable(),
  requested_at: z.iso.datetime(),
  correlation_id: z.uuid().nullable(),
});
export type InventoriedUpgrade = z.infer<typeof inventoriedUpgradeSchema>;

/** A deployment, as a region's inventory names it. */
const inventoriedSchema = deploymentIdentitySchema.extend({
  id: deploymentIdSchema,
  generation: z.int().positive(),
  /** one of `deploymentStatuses`, or one that a newer release has besides */
  status: z.string().max(40),
  status_version: z.int().positive(),
  /** whether it is to be deleted */
  deleting: z.boolean(),
  /** whether main-api has reported to the region that it does not know it */
  unknown: z.boolean(),
  shape: inventoriedShapeSchema,
  /** the one that was requested last */
  upgrade: inventoriedUpgradeSchema.optional(),
  instances: z.array(activatedConnectorSchema).max(mostConnectorInstances),
  /** which copy of `accessSchema` the region has; `question`: it was restored, and waits for main-api's */
  access: z.object({ revision: z.int().positive(), question: z.uuid().nullable() }),
  /** how long it has run since `usage_since`, as far as the region remembers */
  used_seconds: z.int().min(0).optional(),
});
export type InventoriedDeployment = z.infer<typeof inventoriedSchema>;

/** All deployments that a region has, or a part: those with ids above `after` up to `upto`, or to the end. */
export const inventorySchema = z.object({
  after: z.int().min(0),
  upto: deploymentIdSchema.nullable(),
  deployments: z.array(inventoriedSchema).max(mostInventoried),
  highest_ids: highestIdsSchema,
  /** the beginning of a month (UTC): usage since then is compared */
  usage_since: z.iso.datetime().optional(),
  known_since: knownSinceSchema,
});
export type Inventory = z.infer<typeof inventorySchema>;

/** uses of keys in one report: a message has to stay far below the megabyte that NATS takes */
export const mostUses = 5_000;

/** What a connectors runtime can run. */
const pluginsSchema = z
  .array(z.object({ type: z.enum(connectorTypes), key: z.string().max(63) }))
  .max(mostReportedPlugins);
export type Plugins = z.infer<typeof pluginsSchema>;

/** How the connectors of a deployment are. What has a greater version is newer. */
const connectorsReportSchema = z.object({
  version: z.int().positive(),
  /** what the connectors runtime of each node has */
  plugins: pluginsSchema,
  instances: z
    .array(
      z.object({
        id: connectorInstanceIdSchema,
        status: z.enum(connectorStatuses),
        reason: z.string().max(1_000).nullable(),
      }),
    )
    .max(mostConnectorInstances),
});
export type ConnectorsReport = z.infer<typeof connectorsReportSchema>;

/** How far a region is with an upgrade. It begins with `in_progress` and has one of the other ends, for good. */
export const upgradeReportSchema = z.object({
  upgrade_id: z.uuid(),
  /** `rolled_back`: the deployment is in the shape before; `failed`: nor did it get back to that without trouble */
  state: z.enum(['in_progress', ...endedUpgradeStatuses]),
  /** why it was not completed */
  reason: z.string().max(2_000).nullable().optional(),
});
export type UpgradeReport = z.infer<typeof upgradeReportSchema>;

export const reportSchemas = {
  /**
   * A supervisor serves this region at this address, and this is what it has there. Repeated at every start, when the connection to
   * NATS is back, and every few minutes. The inventory comes in as many reports as it takes.
   */
  region_registered: z.object({
    cloud: cloudSchema,
    region: regionSchema,
    supervisor_url: z.url({ protocol: /^https?$/ }).max(2_000),
    /** whether nodes of a deployment can be one cluster there */
    clusters: z.boolean(),
    options: providedOptionsSchema,
    /** what its release gives to the nodes of new deployments */
    plugins: pluginsSchema,
    /** until when all usage of the region's deployments was reported before; absent of a release that does not report it */
    usage_to: z.iso.datetime().optional(),
    inventory: inventorySchema.optional(),
  }),
  /**
   * A deployment's status changed. `version` grows with each change of that deployment. What is said of an upgrade counts in any case:
   * reports of an upgrade that repeat a status keep its version.
   */
  deployment_status: deploymentIdentitySchema.extend({
    deployment_id: deploymentIdSchema,
    version: z.int().positive(),
    status: z.enum(deploymentStatuses),
    status_reason: z.string().max(2_000).nullable(),
    changed_at: z.iso.datetime(),
    /** the deployment's last upgrade */
    upgrade: upgradeReportSchema.optional(),
    /** when that is news */
    connectors: connectorsReportSchema.optional(),
    /** when it has changed, or is asked for */
    access: whole(accessSchema).optional(),
  }),
  /**
   * A deployment has run at one price from `from` to `to`, within a month of the calendar (UTC). It comes again with a later end while
   * it goes on.
   */
  usage: deploymentIdentitySchema.extend({
    deployment_id: deploymentIdSchema,
    ...usedSchema.shape,
    known_since: knownSinceSchema,
  }),
  /** API keys were last accepted at these times, by a service other than main-api. */
  api_keys_used: z.object({
    uses: z
      .array(z.object({ id: apiKeyIdSchema, used_at: z.iso.datetime() }))
      .min(1)
      .max(mostUses),
  }),
  /** The region has taken in an instance of a connector, or has refused it for good. */
  connector_activation: deploymentIdentitySchema.extend({
    deployment_id: deploymentIdSchema,
    instance_id: connectorInstanceIdSchema,
    accepted: z.boolean(),
    /** why it was refused, for people */
    reason: z.string().max(1_000).nullable(),
  }),
  /** An instance of a connector was deleted in the region, for good. */
  connector_deleted: deploymentIdentitySchema.extend({
    deployment_id: deploymentIdSchema,
    instance_id: connectorInstanceIdSchema,
  }),
  /** A mail was refused for good, was not accepted for a day, or has come back. The same mail may be reported more than once. */
  mail_undeliverable: z.object({
    /** the id of the message that asked for it */
    mail_id: z.uuid(),
    template: z.string().max(60),
    to: z.string().max(254),
    reason: z.string().max(500),
    about: mailAboutSchema,
  }),
  /** The channels that the notifier has; repeated at every start, and every few minutes. It comes in as many reports as it takes. */
  channel_inventory: channelInventorySchema,
  /** Nothing is left of the deployment in its region. */
  deployment_removed: deploymentIdentitySchema.extend({
    deployment_id: deploymentIdSchema,
    removed_at: z.iso.datetime(),
  }),
} as const;
export type ReportType = keyof typeof reportSchemas;
export type ReportData<Type extends ReportType> = z.infer<(typeof reportSchemas)[Type]>;

/** The envelope of commands and reports. */
export const messageSchema = z.object({
  id: z.uuid(),
  type: z.string().max(100),
  occurred_at: z.iso.datetime(),
  correlation_id: z.uuid().nullable(),
  data: z.unknown(),
});
export type Message = z.infer<typeof messageSchema>;
