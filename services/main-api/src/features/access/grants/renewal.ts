import { createHash } from 'node:crypto';
import { systemRoles } from '@sluice/contracts';
import type { Log } from '@sluice/service-kit';
import { readBucket, setMadeBy } from '../../../stores/grants.store.ts';
import { renewKeyGrants, type Renewing } from './key-grants.ts';
import { renewSessionGrants } from './session-grants.ts';

/** counted up when a release makes other grants of the same roles */
const form = 1;
const madeBy = createHash('sha256')
  .update(JSON.stringify([form, systemRoles]))
  .digest('hex');

/** Makes all grants anew where this release makes others than the one that has made them. */
export async function renewGrants(renewing: Renewing, log: Log): Promise<void> {
  const { database } = renewing;
  if ((await readBucket(database)).made_by === madeBy) return;
  log.info('all grants are made anew for this release');
  await renewKeyGrants(renewing);
  await renewSessionGrants(renewing);
  await setMadeBy(database, madeBy);
}
