import type { ApiKeyInput } from '@sluice/client';

export interface KeyValues {
  name: string;
  /** the id of the role */
  role: string | null;
  /** the id of the division; empty for all of the organization */
  division: string;
  days: string;
  /** lines or words; empty for any address */
  addresses: string;
}

export const lifetimes = [
  { key: '7', label: '7 days' },
  { key: '30', label: '30 days' },
  { key: '90', label: '90 days' },
  { key: '365', label: '365 days' },
] as const;

export const graces = [
  { key: '0', label: 'None', note: 'refused at once' },
  { key: '900', label: '15 minutes' },
  { key: '3600', label: '1 hour' },
  { key: '28800', label: '8 hours' },
  { key: '86400', label: '24 hours' },
] as const;

/** Addresses and blocks that a text lists. */
export const addressesIn = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');

/** From where a key may be used. */
export function securityOf(text: string): { validate_ip: boolean; allowed_ips: string[] } {
  const allowed_ips = addressesIn(text);
  return { validate_ip: allowed_ips.length > 0, allowed_ips };
}

export function keyInput({ name, role, days, addresses }: KeyValues, now: Date): ApiKeyInput {
  const { validate_ip, allowed_ips } = securityOf(addresses);
  // a minute before the most that there may be: the clock of the server can be behind
  const expiry = new Date(now.getTime() + Number(days) * 86_400_000 - 60_000);
  return {
    name,
    role_id: Number(role),
    expiry_at: expiry.toISOString(),
    ...(validate_ip && { validate_ip, allowed_ips }),
  };
}

export type Life = 'over' | 'ending' | 'works';

/** Whether a key has ended, or ends within two weeks. */
export function lifeOf(expiry: string, now: Date): Life {
  const left = Date.parse(expiry) - now.getTime();
  if (left <= 0) return 'over';
  return left < 14 * 86_400_000 ? 'ending' : 'works';
}
