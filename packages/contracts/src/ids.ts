/**
 * Identifiers (interface, "Common rules"): positive 64-bit integers, sent as JSON numbers. Sluice generates
 * them below 2^53, so a `number` holds each of them exactly. The brand keeps a division's id from being passed
 * where a deployment's is expected.
 */
declare const kind: unique symbol;
export type Id<Kind extends string> = number & { readonly [kind]?: Kind };

export type TenantId = Id<'tenant'>;
export type DivisionId = Id<'division'>;
export type EnvironmentId = Id<'environment'>;
export type DeploymentId = Id<'deployment'>;
export type NodeId = Id<'node'>;
export type UserId = Id<'user'>;
export type RoleId = Id<'role'>;
export type InvitationId = Id<'invitation'>;
export type ApiKeyId = Id<'api_key'>;
export type AccessRuleId = Id<'access_rule'>;
