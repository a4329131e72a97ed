import type { Caller } from '@sluice/grants';
import { problem } from '@sluice/service';
import { requireLive, type DeploymentPath } from '../deployment-rules.ts';
import { lockDeployment, raiseRevision, subjectsOf } from '@sluice/region-store/deployments.store';
import { findKeyProgress, setEncrypted } from './encryption-keys.store.ts';
import { requireIdle } from '../backups/backup-rules.ts';
import { makeKey, mostVersions } from './keys.ts';
import type { Shared } from '../shared.ts';

export type EncryptionOptions = Pick<Shared, 'work' | 'secrets'>;

export type EncryptionService = ReturnType<typeof encryptionService>;

/** The keys for data at rest (interface, 4.4: `encrypted`). */
export function encryptionService({ work, secrets }: EncryptionOptions) {
  return {
    /**
     * Makes the next version of a deployment's key, with which its broker restarts.
     * @throws Problem `not_found`, `rotation_requires_standalone`, `state_conflict`, `operation_in_progress`, `limit_reached`
     */
    rotate: (caller: Caller, { deployment_id: id }: DeploymentPath): Promise<void> =>
      work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, id);
        const { status, spec } = deployment;
        requireLive(deployment);
        const progress = await findKeyProgress(tx.db, id);
        if (!progress) throw problem('state_conflict', { detail: 'The deployment is not encrypted.' });
        // nats-server opens the Raft log of a cluster with the newest key alone
        if (spec.cluster === 'cluster') throw problem('rotation_requires_standalone');
        if (status !== 'initialized')
          throw problem('state_conflict', { detail: `The deployment is ${status}, not initialized.` });
        await requireIdle(tx.db, deployment);
        // a broker opens its data with the newest version and one other
        if (progress.behind !== null)
          throw problem('operation_in_progress', {
            detail: `The data of ${progress.behind} is not encrypted with the newest version of the key yet.`,
          });
        const version = progress.newest + 1;
        if (version > mostVersions)
          throw problem('limit_reached', {
            extensions: { limit: { name: 'encryption_key_versions_limit', value: mostVersions } },
          });
        await makeKey(tx.db, secrets, id, version);
        await setEncrypted(tx.db, [id]);
        await raiseRevision(tx.db, id);
        const { name, code } = spec;
        tx.emit('deployment_encryption_key_rotated', subjectsOf(deployment), { name, code, version });
      }),
  };
}
