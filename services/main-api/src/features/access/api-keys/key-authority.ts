import type { Caller } from '@sluice/grants';
import { problem } from '@sluice/service';
import type { KeyWithRole } from '../../../stores/api-keys.store.ts';
import { isOwnersKey, mostPermissionsOfKey } from '../grants/key-grants.ts';
import { requireHeld } from '../roles/granting.ts';

/**
 * Refuses to change or delete a key that grants what the caller does not hold: whoever could lift its addresses would
 * decide about rights that are not theirs.
 * @throws Problem `privilege_escalation`
 */
export function requireMayChangeKey(caller: Caller, key: KeyWithRole): void {
  requireHeld(caller, mostPermissionsOfKey(key));
  if (isOwnersKey(key) && !caller.owner) throw problem('privilege_escalation');
}
