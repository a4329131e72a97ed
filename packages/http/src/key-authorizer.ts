import {
  allowsSomewhere,
  idOf,
  isClosedByOverride,
  noTenant,
  permissionsAt,
  sessionGrantName,
  type DivisionId,
  type EnvironmentId,
  type Grant,
  type Place,
  type TenantId,
} from '@sluice/contracts';
import { parseAddress, parseBlock } from '@sluice/system';
import type { Request } from 'express';
import {
  type GrantCache,
  anonymousCaller,
  callerOf,
  lacking,
  type Caller,
  type Session,
} from '@sluice/grants';
import { type Right, problem, type Problem, currentContext, newContext } from '@sluice/service';
import type { Authorizer } from './api.ts';
import { grantNameOf } from './known-caller.ts';
import { checkPathIds } from './path-ids.ts';
import type { Declaration, Held } from './openapi/permission.ts';
import { claimedSession, requireCsrfToken } from './session-cookie.ts';

/** Where a request happens: the tenant and the place in it that its path names. */
export interface Location extends Place {
  tenant: TenantId;
}

export interface KeyAuthorizerOptions {
  grants: GrantCache;
  now: () => Date;
  /** where browsers reach the service: it says what the cookie of a session is called */
  publicUrl?: string | undefined;
  /**
   * Finds the location of paths that name a resource without its tenant, such as the supervisor's deployments, or of
   * requests that say more of their place in the query.
   * Answers null for what does not exist; undefined when the path itself says where it is.
   */
  locate?: (
    parameters: Record<string, string>,
    query: Request['query'],
  ) => Promise<Location | null | undefined>;
}

/**
 * Authorizes requests by their `svc-api-key` header (interface, section 5, 1 and 2), or, where none is sent, by a session: of
 * a terminal by the header `svc-session`, of a browser by its cookie.
 */
export function keyAuthorizer({ grants, now, publicUrl, locate }: KeyAuthorizerOptions): Authorizer<Caller> {
  return async (request, declaration) => {
    const context = currentContext() ?? newContext();
    if (declaration.kind === 'public') return anonymousCaller(context);
    const session =
      request.get('svc-api-key') === undefined ? (claimedSession(request, publicUrl) ?? null) : null;
    const own = session ? await signedIn(session, grants, now) : await authenticate(request, grants, now);
    context.holder = own.grant;
    if (session) requireCsrfToken(request, session);
    else if (declaration.kind === 'session') throw problem('session_required');
    const parameters = request.params as Record<string, string>;
    checkPathIds(parameters);
    const location =
      (await locate?.(parameters, request.query)) ??
      (locate && parameters['deployment_id'] ? null : pathLocation(parameters));
    const isNamed = parameters['tenant_id'] !== undefined;
    if (location === null) throw unknownPlace(request);
    const member = session && location && (await membership(session, location.tenant, grants, now));
    const { grant, right } = member ?? own;
    const caller = callerOf(grant, context, { session, right });
    context.caller = idsOf(grant);
    context.holder = grant;
    if (location && location.tenant !== caller.tenantId) {
      // an address that does not name the tenant must not tell that the resource exists
      throw isNamed ? problem('forbidden', { recordedAs: 'foreign_access_refused' }) : unknownPlace(request);
    }
    if (location && !(isNamed ? seesDeployment(caller, location, parameters) : seesPlace(caller, location)))
      throw problem('not_found');
    authorize(caller, declaration, location);
    return caller;
  };
}

/**
 * What does not exist, or is another tenant's: the log tells as little of which it is as the answer does. Reading what is gone is
 * an everyday thing, and not recorded.
 */
function unknownPlace({ method }: Request): Problem {
  const reads = method === 'GET' || method === 'HEAD';
  return problem('not_found', reads ? {} : { recordedAs: 'foreign_access_refused' });
}

function idsOf({ tenant_id, user, api_key }: Grant) {
  return { tenant: tenant_id, user: user.id, ...(api_key && { key: api_key.id }) };
}

/** A grant that holds now, and the right that it gives a request. */
interface Holding {
  grant: Grant;
  right: Right;
}

/** @throws Problem `credential_frozen` */
async function holding(grants: GrantCache, name: string, now: () => Date): Promise<Holding | undefined> {
  const held = await grants.find(name);
  if (!held || new Date(held.grant.expires_at) <= now()) return undefined;
  if (held.grant.frozen) throw problem('credential_frozen');
  return { grant: held.grant, right: { name, revision: held.revision } };
}

async function authenticate(request: Request, grants: GrantCache, now: () => Date): Promise<Holding> {
  const name = grantNameOf(request);
  if (name === undefined) throw problem('unauthenticated');
  const found = await holding(grants, name, now);
  if (!found) throw problem('unauthenticated');
  const { allowed_ips } = found.grant;
  if (allowed_ips && !isAllowed(request.ip, allowed_ips)) {
    const context = currentContext();
    if (context) context.holder = found.grant;
    throw problem('ip_not_allowed');
  }
  return found;
}

/** A signed-in user, in no tenant yet. @throws Problem `unauthenticated` */
async function signedIn(session: Session, grants: GrantCache, now: () => Date): Promise<Holding> {
  const found = await holding(grants, sessionGrantName(noTenant, session.key), now);
  if (!found)
    throw problem('unauthenticated', { detail: 'The session has ended, or its token is not valid.' });
  return found;
}

/** A signed-in user, as a member of a tenant. */
async function membership(
  session: Session,
  tenantId: TenantId,
  grants: GrantCache,
  now: () => Date,
): Promise<Holding | undefined> {
  return await holding(grants, sessionGrantName(tenantId, session.key), now);
}

function pathLocation(parameters: Record<string, string>): Location | undefined {
  const { tenant_id: tenant, division_id: division, environment_id: environment } = parameters;
  if (tenant === undefined) return undefined;
  return {
    tenant: idOf<TenantId>(tenant),
    division: division === undefined ? undefined : idOf<DivisionId>(division),
    environment: environment === undefined ? undefined : idOf<EnvironmentId>(environment),
  };
}

/** Whether the caller may know of what is in the environment of a location: who holds nothing there may not. */
function seesPlace({ permissions }: Caller, { division, environment }: Location): boolean {
  if (division === undefined || environment === undefined) return true;
  return permissionsAt(permissions, 'environment', { division, environment }).length > 0;
}

/** The same where the path names a deployment with the tenant: only an override hides it; a caller that lacks the permission alone gets 403. */
function seesDeployment(
  { permissions }: Caller,
  { division, environment }: Location,
  { deployment_id }: Record<string, string>,
): boolean {
  if (deployment_id === undefined || division === undefined || environment === undefined) return true;
  return !isClosedByOverride(permissions, division, environment);
}

function authorize(caller: Caller, declaration: Declaration, location: Location | undefined): void {
  switch (declaration.kind) {
    case 'public':
    case 'authenticated':
    case 'session':
      return;
    case 'owner':
      if (!caller.owner) throw problem('owner_only');
      return;
    case 'permission':
      if (!isPermitted(caller, declaration, location))
        throw lacking(declaration.scope, declaration.permission);
      return;
    case 'agent':
      throw problem('unauthenticated');
  }
}

/** Whether an operation that asks for a permission is one for the caller, in a place of their tenant. */
export function isPermitted(
  caller: Caller,
  { scope, permission, or, division_keys, anywhere }: Extract<Declaration, { kind: 'permission' }>,
  location: Location | undefined,
): boolean {
  if (caller.may(scope, permission, location)) return true;
  if (or && holds(caller, or, location)) return true;
  if (division_keys && isBoundTo(caller, location)) return true;
  return anywhere === true && allowsSomewhere(caller.permissions, scope, permission);
}

/** Whether the caller holds the other permission that is enough. */
function holds(caller: Caller, { scope, permission }: Held, location: Location | undefined): boolean {
  if (location)
    return (scope === 'tenant' || location.division !== undefined) && caller.may(scope, permission, location);
  // a session grants nothing before a tenant is named: a signed-in user reads what is the same for all
  return caller.session !== null || allowsSomewhere(caller.permissions, scope, permission);
}

/** Whether the caller's key is bound to the division of a location, or to any where it has none. */
function isBoundTo({ divisionId }: Caller, location: Location | undefined): boolean {
  return divisionId !== null && (location?.division ?? divisionId) === divisionId;
}

/** Whether `address` is one of `allowed`, or lies in one of its CIDRs; IPv4-mapped IPv6 counts as IPv4. */
export function isAllowed(address: string | undefined, allowed: readonly string[]): boolean {
  const source = parseAddress(address);
  return source !== null && allowed.some((entry) => parseBlock(entry).contains(source));
}
