import { randomBytes } from 'node:crypto';
import type { DeploymentId, DesiredState } from '@sluice/contracts';
import type { SecretBox } from '@sluice/system/secrets';
import type { Database } from '@sluice/region-store/tables';
import { insertEncryptionKey, listEncryptionKeys } from './encryption-keys.store.ts';

/** versions that a deployment can have had: backups may need any of them */
export const mostVersions = 100;

/** Makes the next version of a deployment's key. */
export async function makeKey(
  db: Database,
  secrets: SecretBox,
  deployment_id: DeploymentId,
  version: number,
): Promise<void> {
  const sealed_key = await secrets.seal(randomBytes(32).toString('hex'));
  await insertEncryptionKey(db, { deployment_id, version, sealed_key });
}

/** How the brokers of a deployment encrypt what they store; null where they do not. */
export async function desiredEncryption(
  db: Database,
  secrets: SecretBox,
  deploymentId: DeploymentId,
): Promise<NonNullable<DesiredState['broker']['encryption']> | null> {
  const keys = await listEncryptionKeys(db, deploymentId);
  const [newest] = keys;
  if (!newest) return null;
  const opened = keys.map(async ({ version, sealed_key }) => ({
    version,
    key: await secrets.open(sealed_key),
  }));
  return { version: newest.version, keys: await Promise.all(opened) };
}
