import {
  eventTypes,
  rightsEventTypes,
  rolePermissionsSchema,
  type DivisionId,
  type Event,
  type EventData,
  type Ref,
  type RightsEventType,
  type RoleId,
  type RolePermissions,
  type TenantId,
  type UserId,
} from '@sluice/contracts';

/**
 * What events say of members, roles and keys at their end: pure, and without the tables that it is compared with. Events name roles, so
 * names are followed through renames.
 */

export interface RoleClaim {
  /** that it had before the first of these events, or with which it was made by one of them */
  name: string;
  isMade: boolean;
  isDeleted: boolean;
  permissions: RolePermissions | null;
  evidence: string;
}

export interface MemberClaim {
  user: Ref<UserId>;
  email: string | null;
  /** undefined: as before the events */
  isMember?: boolean;
  /** all keys that they had before went with the membership, even if they are a member again */
  hasEnded?: boolean;
  isActive?: boolean;
  /** the roles as they were once set, all of them; null: those of before the events */
  base: RoleClaim[] | null;
  /** what has changed since */
  changes: Map<RoleClaim, boolean>;
  evidence: string;
}

export interface KeyClaim {
  name: string;
  divisionId: DivisionId | null;
  /** the first event by which a key of this name lost its token: of a key that is older than that */
  closedAt: Date | null;
  /** from when on the token does not work that the key had then */
  formerEndsAt: Date | null;
  /** a key of this name has got a token that is not known from before the events */
  isMade: boolean;
  roleId: RoleId;
  evidence: string;
}

export interface TenantClaims {
  roles: Set<RoleClaim>;
  members: Map<UserId, MemberClaim>;
  keys: Map<string, KeyClaim>;
  /** when the newest invitation of an address was answered or taken back */
  closedInvitations: Map<string, Date>;
  deleted: string | null;
  names: Map<string, RoleClaim>;
}

export type Claims = Map<TenantId, TenantClaims>;

const handlers: {
  [Type in RightsEventType]: (tenant: TenantClaims, event: Event, data: EventData<Type>) => void;
} = {
  tenant_deleted(tenant, event) {
    tenant.deleted = evidenceOf(event);
  },
  member_joined: addMember,
  join_request_approved: addMember,
  invitation_accepted(tenant, event, data) {
    closeInvitation(tenant, event, data);
    addMember(tenant, event, data);
  },
  invitation_rejected: closeInvitation,
  invitation_deleted: closeInvitation,
  member_removed: endMember,
  member_left: endMember,
  member_updated(tenant, event, { changes }) {
    const { active, roles } = changes;
    const member = memberOf(tenant, event);
    if (typeof active === 'boolean') member.isActive = active;
    if (Array.isArray(roles)) setRoles(tenant, event, member, roles.map(String));
  },
  role_assigned(tenant, event, { role }) {
    memberOf(tenant, event).changes.set(roleNamed(tenant, event, role.name), true);
  },
  role_revoked(tenant, event, { role }) {
    memberOf(tenant, event).changes.set(roleNamed(tenant, event, role.name), false);
  },
  role_created(tenant, event, { name }) {
    addRole(tenant, event, name, true);
  },
  role_updated(tenant, event, { name, changes, former }) {
    const before = 'name' in changes && typeof former['name'] === 'string' ? former['name'] : name;
    const role = roleNamed(tenant, event, before);
    tenant.names.delete(before.toLowerCase());
    tenant.names.set(name.toLowerCase(), role);
    const permissions = rolePermissionsSchema.safeParse(changes['permissions']);
    if (permissions.success) role.permissions = permissions.data;
  },
  role_deleted(tenant, event, { name }) {
    roleNamed(tenant, event, name).isDeleted = true;
    tenant.names.delete(name.toLowerCase());
  },
  api_key_created(tenant, event, data) {
    keyOf(tenant, event, data).isMade = true;
  },
  api_key_deleted(tenant, event, data) {
    const key = keyOf(tenant, event, data);
    key.isMade = false;
    endFormerToken(key, event, 0);
  },
  api_key_rotated(tenant, event, data) {
    const key = keyOf(tenant, event, data);
    key.isMade = true;
    endFormerToken(key, event, data.grace_seconds);
  },
};

/** Adds what an event says; in the order in which they happened. @throws ZodError for one that this release cannot read */
export function addClaim(claims: Claims, event: Event): void {
  if (!isEvidence(event.type)) return;
  const tenant = claims.get(event.tenant_id) ?? noClaims();
  claims.set(event.tenant_id, tenant);
  handle(tenant, event, event.type);
}

function handle<Type extends RightsEventType>(tenant: TenantClaims, event: Event, type: Type): void {
  handlers[type](tenant, event, eventTypes[type].data.parse(event.data) as EventData<Type>);
}

const isEvidence = (type: string): type is RightsEventType =>
  (rightsEventTypes as readonly string[]).includes(type);

const noClaims = (): TenantClaims => ({
  deleted: null,
  roles: new Set(),
  members: new Map(),
  keys: new Map(),
  closedInvitations: new Map(),
  names: new Map(),
});

const evidenceOf = ({ type, occurred_at, author }: Event) =>
  `event ${type} of ${occurred_at}${author ? ` by ${author.name} (user ${author.id})` : ''}`;

/** The role that has this name at this moment. */
function roleNamed(tenant: TenantClaims, event: Event, name: string): RoleClaim {
  const role = tenant.names.get(name.toLowerCase()) ?? addRole(tenant, event, name, false);
  role.evidence = evidenceOf(event);
  return role;
}

function addRole(tenant: TenantClaims, event: Event, name: string, isMade: boolean): RoleClaim {
  const role = { name, isMade, isDeleted: false, permissions: null, evidence: evidenceOf(event) };
  tenant.roles.add(role);
  tenant.names.set(name.toLowerCase(), role);
  return role;
}

function memberOf(tenant: TenantClaims, event: Event): MemberClaim {
  if (!event.user) throw new Error(`an event ${event.type} names no user`);
  const evidence = evidenceOf(event);
  const known = tenant.members.get(event.user.id);
  if (known) return Object.assign(known, { evidence });
  const member: MemberClaim = { user: event.user, email: null, base: null, changes: new Map(), evidence };
  tenant.members.set(event.user.id, member);
  return member;
}

function setRoles(tenant: TenantClaims, event: Event, member: MemberClaim, names: readonly string[]): void {
  member.base = names.map((name) => roleNamed(tenant, event, name));
  member.changes.clear();
}

function addMember(tenant: TenantClaims, event: Event, data: { email: string; roles: string[] }): void {
  const member = memberOf(tenant, event);
  setRoles(tenant, event, member, data.roles);
  Object.assign(member, { email: data.email, isMember: true, isActive: true });
}

function endMember(tenant: TenantClaims, event: Event): void {
  const member = memberOf(tenant, event);
  setRoles(tenant, event, member, []);
  Object.assign(member, { isMember: false, hasEnded: true });
}

function closeInvitation(tenant: TenantClaims, event: Event, { email }: { email: string }): void {
  tenant.closedInvitations.set(email.toLowerCase(), new Date(event.occurred_at));
}

type KeyData = EventData<'api_key_created'>;

function keyOf(tenant: TenantClaims, event: Event, { name, role_id, division_id }: KeyData): KeyClaim {
  const divisionId = division_id ?? null;
  const place = `${divisionId} ${name.toLowerCase()}`;
  const key = tenant.keys.get(place) ?? {
    name,
    divisionId,
    closedAt: null,
    formerEndsAt: null,
    isMade: false,
  };
  const now = Object.assign(key, { roleId: role_id, evidence: evidenceOf(event) });
  tenant.keys.set(place, now);
  return now;
}

function endFormerToken(key: KeyClaim, { occurred_at }: Event, graceSeconds: number): void {
  key.closedAt ??= new Date(occurred_at);
  const end = new Date(Date.parse(occurred_at) + graceSeconds * 1_000);
  if (key.formerEndsAt === null || end < key.formerEndsAt) key.formerEndsAt = end;
}
