import { createHash } from 'node:crypto';
import { systemRoles } from '@sluice/contracts';
import type { Log } from '@sluice/service';
import { readBucket, setMadeBy, unsettleAll } from './grants.store.ts';
import { renewKeyGrants, type Renewing } from './key-grants.ts';
import { renewSessionGrants } from './session-grants.ts';

/** counted up when a release makes other grants of the same roles */
const form = 2;
const release = createHash('sha256')
  .update(JSON.stringify([form, systemRoles]))
  .digest('hex');

/**
 * Makes all grants anew where this release makes others than the one that has made them, and has them signed again where
 * main-api has another key.
 * @param signingKey the id of the key that it signs with now
 */
export async function renewGrants(renewing: Renewing, signingKey: string, log: Log): Promise<void> {
  const { database } = renewing;
  const madeBy = `${release} ${signingKey}`;
  const { made_by: before } = await readBucket(database);
  if (before === madeBy) return;
  const [formerRelease, formerKey] = before?.split(' ') ?? [];
  if (formerRelease !== release) {
    log.info('all grants are made anew for this release');
    await renewKeyGrants(renewing);
    await renewSessionGrants(renewing);
  }
  if (formerKey !== signingKey) {
    log.info('all grants are signed again', { key: signingKey });
    await unsettleAll(database);
  }
  await setMadeBy(database, madeBy);
}
