import { grantKey, isApiToken } from '@sluice/contracts';
import type { Request } from 'express';
import type { GrantCache } from '../grants/cache.ts';
import { claimedSession } from './session-cookie.ts';

/**
 * Whose key or session a request brings, by a name that is the same for all requests of it; undefined when it brings none
 * that is known. Whether it still holds, and for what, is not decided here.
 */
export function knownCaller(request: Request, grants: Pick<GrantCache, 'find'>): string | undefined {
  const token = request.get('svc-api-key');
  if (token === undefined) {
    const session = claimedSession(request);
    return session && grants.find(session.key) ? `session ${session.key}` : undefined;
  }
  const grant = isApiToken(token) ? grants.find(grantKey(token)) : undefined;
  return grant?.api_key ? `key ${grant.tenant_id} ${grant.api_key.id}` : undefined;
}
