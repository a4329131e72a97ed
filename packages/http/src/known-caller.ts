import { isApiToken, noTenant, sessionGrantName, tokenHash } from '@sluice/contracts';
import type { Request } from 'express';
import type { GrantCache } from '@sluice/grants';
import { claimedSession } from './session-cookie.ts';

const tokenNames = new WeakMap<Request, string | undefined>();

/** What the grant of a request's API key is called, worked out once for each; undefined for what is no API key. */
export function grantNameOf(request: Request): string | undefined {
  if (!tokenNames.has(request)) {
    const token = request.get('svc-api-key');
    tokenNames.set(request, token !== undefined && isApiToken(token) ? tokenHash(token) : undefined);
  }
  return tokenNames.get(request);
}

/**
 * Whose key or session a request brings, by a name that is the same for all requests of it; undefined when it brings none
 * that is known. Whether it still holds, and for what, is not decided here.
 */
export async function knownCaller(
  request: Request,
  grants: Pick<GrantCache, 'find'>,
): Promise<string | undefined> {
  if (request.get('svc-api-key') === undefined) {
    // under whichever name: it is counted here, and not yet let in
    const session = claimedSession(request, undefined);
    const held = session && (await grants.find(sessionGrantName(noTenant, session.key)));
    return held && `session ${session.key}`;
  }
  const name = grantNameOf(request);
  const held = name === undefined ? undefined : await grants.find(name);
  return held?.grant.api_key ? `key ${held.grant.tenant_id} ${held.grant.api_key.id}` : undefined;
}
