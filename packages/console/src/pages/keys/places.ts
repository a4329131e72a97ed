import type { PermissionsDetail } from '@sluice/client';
import { allows } from '@sluice/console-core/api/permissions.ts';

const ofTenant = {
  create: 'createKey',
  addresses: 'changeKeyAddresses',
  rotate: 'rotateKey',
  revoke: 'deleteKey',
} as const;

const ofDivision = {
  create: 'createDivisionKey',
  addresses: 'changeDivisionKeyAddresses',
  rotate: 'rotateDivisionKey',
  revoke: 'deleteDivisionKey',
} as const;

/**
 * By which operations a key is changed: those of the organization take all keys; those of a division its own, for who has a right there
 * alone.
 */
export function keyActions(held: PermissionsDetail | undefined, division: number | null) {
  const isInTenant = held && allows(held, { scope: 'tenant', permission: 'api_key:manage' });
  return division === null || isInTenant ? ofTenant : ofDivision;
}

export const isOfDivision = (actions: ReturnType<typeof keyActions>): boolean => actions === ofDivision;
