import { hkdfSync } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Protected } from '@sluice/main-store/protection-codes.store';

export const codeLifeSeconds = 10 * 60;
export const secondsBetweenCodes = 60;

export type ProtectionCodes = ReturnType<typeof protectionCodes>;

/**
 * The one-time codes for deletions: 8 digits, TOTP over a secret that is derived from `key` for each thing that can be
 * deleted. A code counts from the instant at which it was issued, so it is known by that instant and stored nowhere.
 * @param key 32 random bytes
 */
export function protectionCodes(key: Uint8Array) {
  const totpFor = ({ tenant_id, division_id, environment_id, deployment_id }: Protected) => {
    const purpose = `sluice protection ${[tenant_id, division_id, environment_id, deployment_id].join('/')}`;
    const buffer = hkdfSync('sha256', key, '', purpose, 32);
    // as long as codes are apart: two of them never come from the same count
    return new TOTP({
      secret: new Secret({ buffer }),
      algorithm: 'SHA256',
      digits: 8,
      period: secondsBetweenCodes,
    });
  };
  return {
    issuedAt: (what: Protected, instant: Date): string => totpFor(what).generate({ timestamp: +instant }),

    /** Compares in constant time. */
    isOf: (what: Protected, instant: Date, code: string): boolean =>
      totpFor(what).validate({ token: code, timestamp: +instant, window: 0 }) !== null,
  };
}
