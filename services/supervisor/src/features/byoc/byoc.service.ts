import type { RegionRef } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { problem } from '@sluice/service';
import type { components } from '../../generated/api.ts';

type Access = components['schemas']['CloudAccessInput'];
type Check = components['schemas']['CloudAccessCheck'];
/** how long the cloud may take to answer all that is asked */
const checkMilliseconds = 20_000;

type Rule = (access: Access, place: RegionRef) => string | undefined;

export type ByocService = ReturnType<typeof byocService>;

/** Tries an access at the cloud itself. */
export type TryAccess = (access: Access, tenantId: number, signal: AbortSignal) => Promise<Finding>;
interface Finding {
  error?: string;
  unchecked: Check['unchecked'];
}

/**
 * Checks the access to a tenant's cloud account (interface, 4.5): by what it says, and where nodes are made through the cloud by trying it.
 * @param tryAccess absent where nobody here could try it
 */
export function byocService(place: RegionRef, tryAccess?: TryAccess) {
  return {
    /** @throws Problem `external_id_not_own`, `unavailable` while the caller's grant does not tell the tenant's external id */
    async validate(
      { tenantId, externalId }: Pick<Caller, 'tenantId' | 'externalId'>,
      access: Access,
      signal: AbortSignal,
    ): Promise<Check> {
      if (access.cloud === 'cloud_a' && access.external_id !== undefined) {
        if (externalId === undefined)
          throw problem('unavailable', { detail: "The region does not know the tenant's external id yet." });
        // a role of another tenant trusts Sluice by that tenant's external id
        if (access.external_id !== externalId) throw problem('external_id_not_own');
      }
      for (const rule of [isHere, ...rules[access.cloud]]) {
        const error = rule(access, place);
        if (error !== undefined) return { valid: false, error, unchecked: [] };
      }
      if (!tryAccess) return { valid: true, unchecked: ['role', 'external_id', 'network', 'permissions'] };
      const limit = AbortSignal.any([signal, AbortSignal.timeout(checkMilliseconds)]);
      const { error, unchecked } = await tryAccess(access, tenantId, limit);
      return error === undefined ? { valid: true, unchecked } : { valid: false, error, unchecked };
    },
  };
}

const isHere: Rule = ({ cloud, region }, place) =>
  cloud === place.cloud && region === place.region
    ? undefined
    : `this is the supervisor of ${place.cloud} ${place.region}: ask that of ${cloud} ${region}`;

const written =
  (field: keyof Access, pattern: RegExp, expected: string): Rule =>
  (access) =>
    pattern.test(access[field] ?? '') ? undefined : `${field} has to be ${expected}`;

/** the same as for the creation of a deployment (main-api's `CloudAAccess` and `CloudBAccess`) */
const rules: Record<Access['cloud'], readonly Rule[]> = {
  cloud_a: [
    written('account_id', /^\d{12}$/, 'an account id of 12 digits'),
    written(
      'identity_arn',
      /^arn:[a-z0-9_-]{1,20}:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
      'the ARN of a role, such as arn:cloud_a:iam::123456789012:role/sluice',
    ),
    ({ account_id, identity_arn }) =>
      identity_arn.split(':')[4] === account_id
        ? undefined
        : 'identity_arn is a role of another account than account_id',
    ({ external_id }) =>
      external_id === undefined
        ? 'external_id is missing: take the one that the setup tells, and put it into the trust policy of the role'
        : undefined,
    written('vpc_id', /^[A-Za-z0-9-]+$/, 'the id of a network, such as vpc-0a1b2c3d'),
  ],
  cloud_b: [
    written('account_id', /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/, 'a project id of 6 to 30 characters'),
    written('identity_arn', /^[^@\s]{1,64}@[^@\s]{1,189}$/, 'the mail address of a service account'),
    ({ external_id }) =>
      external_id === undefined ? undefined : 'external_id cannot be given on cloud_b, which has none',
    written('vpc_id', /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/, 'the name of a network'),
  ],
};
