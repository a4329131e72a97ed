import { z } from 'zod';

/**
 * Identifiers (interface, "Common rules"): positive 64-bit integers, sent as JSON numbers. Sluice generates them below
 * 2^53, so a `number` holds each of them exactly. Every kind has a type of its own, so that a division's id cannot be
 * passed where a deployment's is expected. They come from the path of a request, from the database, or from a message
 * that a schema has checked: each of these is typed; for what is left there is `idOf`.
 */
const id = <Kind extends string>() => z.int().positive().brand<Kind>();

export const tenantIdSchema = id<'tenant'>();
export type TenantId = z.infer<typeof tenantIdSchema>;
export const divisionIdSchema = id<'division'>();
export type DivisionId = z.infer<typeof divisionIdSchema>;
export const environmentIdSchema = id<'environment'>();
export type EnvironmentId = z.infer<typeof environmentIdSchema>;
export const deploymentIdSchema = id<'deployment'>();
export type DeploymentId = z.infer<typeof deploymentIdSchema>;
export const nodeIdSchema = id<'node'>();
export type NodeId = z.infer<typeof nodeIdSchema>;
export const userIdSchema = id<'user'>();
export type UserId = z.infer<typeof userIdSchema>;
export const roleIdSchema = id<'role'>();
export type RoleId = z.infer<typeof roleIdSchema>;
export const apiKeyIdSchema = id<'api_key'>();
export type ApiKeyId = z.infer<typeof apiKeyIdSchema>;
export const invitationIdSchema = id<'invitation'>();
export type InvitationId = z.infer<typeof invitationIdSchema>;
export const joinRequestIdSchema = id<'join_request'>();
export type JoinRequestId = z.infer<typeof joinRequestIdSchema>;
export const membershipIdSchema = id<'membership'>();
export type MembershipId = z.infer<typeof membershipIdSchema>;
export const sessionIdSchema = id<'session'>();
export type SessionId = z.infer<typeof sessionIdSchema>;
export const identityIdSchema = id<'identity'>();
export type IdentityId = z.infer<typeof identityIdSchema>;
export const accessRuleIdSchema = id<'access_rule'>();
export type AccessRuleId = z.infer<typeof accessRuleIdSchema>;
export const cloudAccountIdSchema = id<'cloud_account'>();
export type CloudAccountId = z.infer<typeof cloudAccountIdSchema>;
export const configIdSchema = id<'config'>();
export type ConfigId = z.infer<typeof configIdSchema>;
export const connectorInstanceIdSchema = id<'connector_instance'>();
export type ConnectorInstanceId = z.infer<typeof connectorInstanceIdSchema>;
export const taskIdSchema = id<'task'>();
export type TaskId = z.infer<typeof taskIdSchema>;
export const backupIdSchema = id<'backup'>();
export type BackupId = z.infer<typeof backupIdSchema>;
export const networkLinkIdSchema = id<'network_link'>();
export type NetworkLinkId = z.infer<typeof networkLinkIdSchema>;
export const snapshotIdSchema = id<'snapshot'>();
export type SnapshotId = z.infer<typeof snapshotIdSchema>;
export const channelIdSchema = id<'channel'>();
export type ChannelId = z.infer<typeof channelIdSchema>;
export const budgetIdSchema = id<'budget'>();
export type BudgetId = z.infer<typeof budgetIdSchema>;
export const channelSubscriptionIdSchema = id<'channel_subscription'>();
export type ChannelSubscriptionId = z.infer<typeof channelSubscriptionIdSchema>;
export const notificationIdSchema = id<'notification'>();
export type NotificationId = z.infer<typeof notificationIdSchema>;

/** An id of any kind. */
export type Id = number & z.core.$brand;

/** An id that comes as text, such as a key of an object, or from where no type says what it is an id of. */
export function idOf<Kind extends Id>(value: string | number): Kind {
  return Number(value) as Kind;
}

/** Stands where a grant has no tenant: that of a session itself. */
export const noTenant = idOf<TenantId>(0);

/** A resource named in an event or an entry: its id and the name that it had at that time. */
export interface Ref<Kind extends number = number> {
  id: Kind;
  name: string;
}
export const refSchema = <Kind extends z.ZodType<number>>(id: Kind) => z.object({ id, name: z.string() });
