import { clouds, type RegionRef } from '@sluice/contracts';
import type { TryAccess } from '@sluice/drivers';
import type { Caller } from '@sluice/grants';
import { problem } from '@sluice/service';
import type { components } from '../../generated/api.ts';

type Access = components['schemas']['CloudAccessInput'];
type Check = components['schemas']['CloudAccessCheck'];
/** how long the cloud may take to answer all that is asked */
const checkMilliseconds = 20_000;

export type ByocService = ReturnType<typeof byocService>;

/**
 * Checks the access to a tenant's cloud account (interface, 4.5): by what it says, and where nodes are made through the cloud by trying it.
 * @param tryAccess absent where this region cannot try it
 */
export function byocService(place: RegionRef, tryAccess?: TryAccess) {
  return {
    /** @throws Problem `external_id_not_own`, `unavailable` while the caller's grant lacks the tenant's external id */
    async validate(
      { tenantId, externalId }: Pick<Caller, 'tenantId' | 'externalId'>,
      access: Access,
      signal: AbortSignal,
    ): Promise<Check> {
      if (clouds[access.cloud].hasExternalId && access.external_id !== undefined) {
        if (externalId === undefined)
          throw problem('unavailable', { detail: "The region does not know the tenant's external id yet." });
        // a role of another tenant trusts Sluice by that tenant's external id
        if (access.external_id !== externalId) throw problem('external_id_not_own');
      }
      const [wrong] = [...elsewhere(access, place), ...wrongIn(access)];
      if (wrong !== undefined) return { valid: false, error: wrong, unchecked: [] };
      if (!tryAccess) return { valid: true, unchecked: ['role', 'external_id', 'network', 'permissions'] };
      const limit = AbortSignal.any([signal, AbortSignal.timeout(checkMilliseconds)]);
      const { error, unchecked } = await tryAccess(access, tenantId, limit);
      return error === undefined ? { valid: true, unchecked } : { valid: false, error, unchecked };
    },
  };
}

function* elsewhere({ cloud, region }: Access, place: RegionRef): Generator<string> {
  if (cloud !== place.cloud || region !== place.region)
    yield `this is the supervisor of ${place.cloud} ${place.region}: ask that of ${cloud} ${region}`;
}

/** What an access says, as for the creation of a deployment. */
function* wrongIn(access: Access): Generator<string> {
  const { cloud, account_id, identity_arn, external_id } = access;
  const { access: forms, accountOf, hasExternalId } = clouds[cloud];
  for (const field of ['account_id', 'identity_arn'] as const)
    if (!forms[field].pattern.test(access[field])) yield `${field} has to be ${forms[field].expected}`;
  if (accountOf && accountOf(identity_arn) !== account_id)
    yield 'identity_arn is a role of another account than account_id';
  if (hasExternalId && external_id === undefined)
    yield 'external_id is missing: take the one of the setup, and put it into the trust policy of the role';
  if (!hasExternalId && external_id !== undefined)
    yield `external_id cannot be given on ${cloud}, which has none`;
  if (!forms.vpc_id.pattern.test(access.vpc_id)) yield `vpc_id has to be ${forms.vpc_id.expected}`;
}
