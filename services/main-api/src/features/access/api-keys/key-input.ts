import type { Features } from '@sluice/contracts';
import { fieldProblem, problem } from '@sluice/service';
import { isAddressOrBlock } from '@sluice/system';
import { requireRoom } from '@sluice/catalogue/features';
import type { components } from '../../../generated/api.ts';

export type ApiKeyInput = components['schemas']['ApiKeyInput'];

const longestDays = 365;
const day = 24 * 60 * 60 * 1000;

/**
 * Checks what the document cannot say of a new key.
 * @returns when it expires and which addresses may use it
 * @throws Problem `invalid_request`
 */
export function checkedKeyInput(input: ApiKeyInput, now: Date): { expiryAt: Date; allowedIps: string[] } {
  const { role_id, permissions } = input;
  if ((role_id ?? null) === null && (permissions ?? null) === null)
    throw fieldProblem('role_id', 'required', 'either role_id or permissions is required');
  if ((role_id ?? null) !== null && (permissions ?? null) !== null)
    throw fieldProblem('permissions', 'not_together', 'cannot be given together with role_id');
  const expiryAt = new Date(input.expiry_at);
  if (Number.isNaN(expiryAt.getTime()))
    throw fieldProblem('expiry_at', 'wrong_format', 'has to be a valid date-time');
  if (expiryAt <= now) throw fieldProblem('expiry_at', 'too_small', 'has to be in the future');
  if (expiryAt.getTime() > now.getTime() + longestDays * day)
    throw fieldProblem('expiry_at', 'too_large', `has to be ${longestDays} days ahead at most`);
  return { expiryAt, allowedIps: checkedAddresses(input) };
}

/**
 * Checks from where a key may be used.
 * @returns the addresses
 * @throws Problem `invalid_request`
 */
export function checkedAddresses({
  validate_ip,
  allowed_ips,
}: Pick<ApiKeyInput, 'validate_ip' | 'allowed_ips'>): string[] {
  const allowedIps = allowed_ips ?? [];
  if (allowedIps.length > 0 && !validate_ip)
    throw fieldProblem('allowed_ips', 'not_together', 'needs validate_ip');
  if (validate_ip && allowedIps.length === 0)
    throw fieldProblem('allowed_ips', 'required', 'is required with validate_ip');
  requireAddresses(allowedIps);
  return allowedIps;
}

function requireAddresses(entries: string[]): void {
  const fieldIssues = entries.flatMap((entry, position) =>
    isAddressOrBlock(entry)
      ? []
      : [
          {
            path: `/body/allowed_ips/${position}`,
            code: 'wrong_format',
            message: 'has to be an IPv4 or IPv6 address or CIDR',
          },
        ],
  );
  if (fieldIssues.length > 0) throw problem('invalid_request', { fieldIssues });
}

/** @throws Problem `limit_reached` */
export function requireFewAddresses(features: Features, allowedIps: string[]): void {
  requireRoom(features, 'api_key_allowed_ips_limit', allowedIps.length - 1);
}
