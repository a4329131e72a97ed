import type { Change, ChangeReset } from '@sluice/client';
import { keyOf, type Layer } from './keys.ts';

/** what is read under another kind's name and changes with it, by the kind of the change */
const alsoAffected: Record<string, readonly string[]> = {
  tenant: ['own_tenants', 'context', 'structure'],
  plan: ['context', 'limits', 'subscription'],
  division: ['structure', 'summary', 'environment', 'deployment'],
  environment: ['structure', 'summary', 'deployment'],
  deployment: ['structure', 'summary'],
  member: ['context', 'join_request', 'invitation'],
  role: ['context', 'member'],
  invitation: ['member'],
  join_request: ['member'],
};

type KeyPrefix = readonly [Layer, number, ...string[]];

/**
 * The beginnings of the keys of all queries that a change can concern.
 * @returns after a reset the beginning of all of the layer
 */
export function affectedBy(layer: Layer, tenantId: number, change: Change | ChangeReset): KeyPrefix[] {
  if (change.type === 'reset') return [[layer, tenantId]];
  return [change.kind, ...(alsoAffected[change.kind] ?? [])].map(
    (kind) => keyOf(layer, tenantId, kind) as unknown as KeyPrefix,
  );
}
