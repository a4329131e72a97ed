import { isApiToken, noTenant, sessionGrantName, tokenHash } from '@sluice/contracts';
import type { Request } from 'express';
import type { GrantCache } from '../grants/cache.ts';
import { claimedSession } from './session-cookie.ts';

/**
 * Whose key or session a request brings, by a name that is the same for all requests of it; undefined when it brings none
 * that is known. Whether it still holds, and for what, is not decided here.
 */
export async function knownCaller(
  request: Request,
  grants: Pick<GrantCache, 'find'>,
): Promise<string | undefined> {
  const token = request.get('svc-api-key');
  if (token === undefined) {
    // under whichever name: it is counted here, and not yet let in
    const session = claimedSession(request, undefined);
    const held = session && (await grants.find(sessionGrantName(noTenant, session.key)));
    return held && `session ${session.key}`;
  }
  const held = isApiToken(token) ? await grants.find(tokenHash(token)) : undefined;
  return held?.grant.api_key ? `key ${held.grant.tenant_id} ${held.grant.api_key.id}` : undefined;
}
