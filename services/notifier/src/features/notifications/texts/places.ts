import type { Event } from '@sluice/contracts';
import { quoted } from '../../../wording.ts';

type Places = Pick<Event, 'division' | 'environment' | 'deployment'>;

/** `The deployment “orders” (division “Payments”, environment “production”)`, to begin a sentence with. */
export function theDeployment(event: Places, data?: { name: string; code: string }): string {
  const name = data?.name ?? event.deployment?.name ?? 'without a name';
  const where = [inThe('division', event.division), inThe('environment', event.environment)].filter(Boolean);
  return `The deployment ${quoted(name)}${where.length > 0 ? ` (${where.join(', ')})` : ''}`;
}

/** ` of the division “Payments”`, or nothing where it is not known. */
export function ofDivision({ division }: Places): string {
  return division ? ` of the ${inThe('division', division)}` : '';
}

/** `the tenant “Acme”`, within a sentence. */
export const theTenant = ({ tenant }: { tenant: string }): string => inThe('the tenant', { name: tenant });

const inThe = (kind: string, ref: { name: string } | null) => (ref ? `${kind} ${quoted(ref.name)}` : '');
