import type { Caller } from '@sluice/grants';
import type { BodyOf } from '@sluice/http';
import { problem } from '@sluice/service';
import { requireLive, type DeploymentPath } from '../deployment-rules.ts';
import type { components, operations } from '../../generated/api.ts';
import {
  getDeployment,
  lockDeployment,
  raiseRevision,
  changeDeployment,
  subjectsOf,
} from '@sluice/region-store/deployments.store';
import {
  deleteFormerCredentials,
  insertFormerCredentials,
  listFormerCredentials,
} from '../access-rules/former-credentials.store.ts';
import { accessChanged } from '../access-rules/kept-access.ts';
import { newLogin } from './login.ts';
import { requireKnownAccess } from '../access-rules/access-revisions.store.ts';
import type { Shared } from '../shared.ts';

type Rotation = NonNullable<BodyOf<operations['rotateCredentials']>>;

export type CredentialsOptions = Pick<Shared, 'database' | 'work' | 'secrets' | 'now'>;

export type CredentialsService = ReturnType<typeof credentialsService>;

/** As many logins that were replaced are good at the same time. */
const mostFormer = 5;

/** The login of a deployment's clients (interface, 2.5). */
export function credentialsService({ database, work, secrets, now }: CredentialsOptions) {
  return {
    /** The login, once it is sure to be recorded who was shown it. */
    async get(
      caller: Caller,
      { deployment_id }: DeploymentPath,
    ): Promise<components['schemas']['DeploymentCredentials']> {
      const deployment = await getDeployment(database, deployment_id);
      const { username, sealed_password, spec } = deployment;
      const former = await listFormerCredentials(database, deployment_id, now());
      const password = await secrets.open(sealed_password);
      await work(caller, async (tx) => {
        tx.emit('credentials_read', subjectsOf(deployment), { name: spec.name, code: spec.code });
      });
      if (former.length === 0) return { username, password };
      const earlier = former.map((login) => ({
        username: login.username,
        valid_until: login.valid_to.toISOString(),
      }));
      return { username, password, former: earlier };
    },

    /**
     * Replaces the login. The one before is good for the grace. Without a grace every earlier login ends and its clients are cut.
     * @throws Problem `not_found`, `state_conflict`, `limit_reached`
     */
    async rotate(caller: Caller, { deployment_id }: DeploymentPath, rotation?: Rotation): Promise<void> {
      const grace = rotation?.grace_seconds ?? 0;
      await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        const { spec, username, sealed_password } = deployment;
        requireLive(deployment);
        requireKnownAccess(deployment);
        const validTo = new Date(now().getTime() + grace * 1_000);
        if (grace === 0) await deleteFormerCredentials(tx.db, deployment_id);
        else {
          const former = await listFormerCredentials(tx.db, deployment_id, now());
          if (former.length >= mostFormer) throw tooMany();
          await insertFormerCredentials(tx.db, {
            deployment_id,
            username,
            sealed_password,
            valid_to: validTo,
          });
        }
        await changeDeployment(tx.db, deployment_id, await newLogin(spec.code, secrets, true));
        await accessChanged(tx, deployment_id, now());
        await raiseRevision(tx.db, deployment_id);
        tx.emit('deployment_secrets_rotated', subjectsOf(deployment), {
          name: spec.name,
          code: spec.code,
          former_valid_to: validTo.toISOString(),
        });
      });
    },
  };
}

const tooMany = () =>
  problem('limit_reached', {
    detail:
      'So many logins that were replaced are still good: wait until one has ended, or rotate without a grace.',
    extensions: { limit: { name: 'former_credentials_limit', value: mostFormer } },
  });
