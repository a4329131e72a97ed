import type { Access, CommandData, DeploymentId } from '@sluice/contracts';
import { moveSequencesPastTime } from '@sluice/service';
import type { SecretBox } from '@sluice/system/secrets';
import { reportStatus } from '@sluice/region-store/status-report';
import { listRules, replaceRules } from './access-rules.store.ts';
import {
  lockDeployment,
  raiseRevision,
  changeDeployment,
  subjectsOf,
  type Deployment,
} from '@sluice/region-store/deployments.store';
import { listFormerCredentials, replaceFormerCredentials } from './former-credentials.store.ts';
import { scheduleNow } from '@sluice/region-store/reconciliations.store';
import { raiseAccessRevision } from './access-revisions.store.ts';
import type { Tx } from '../shared.ts';

/** Notes that the rules or the login of a deployment have changed, and sends main-api the copy that it keeps (decision 115). */
export async function accessChanged(tx: Tx, id: DeploymentId, now: Date): Promise<void> {
  await reportAccess(tx, await raiseAccessRevision(tx.db, id), now);
}

/** Who may reach a deployment, as main-api keeps it. */
export async function accessOf(tx: Tx, deployment: Deployment, now: Date): Promise<Access> {
  const rules = await listRules(tx.db, deployment.id);
  const former = await listFormerCredentials(tx.db, deployment.id, now);
  return {
    revision: deployment.access_revision,
    login: { username: deployment.username, sealed_password: deployment.sealed_password },
    former_logins: former.map(({ username, sealed_password, valid_to }) => ({
      ...{ username, sealed_password },
      valid_to: valid_to.toISOString(),
    })),
    rules: rules.map(({ deployment_id: _, valid_to, created_at, ...rule }) => ({
      ...rule,
      valid_to: valid_to?.toISOString() ?? null,
      created_at: created_at.toISOString(),
    })),
  };
}

async function reportAccess(tx: Tx, deployment: Deployment, now: Date): Promise<void> {
  const access = await accessOf(tx, deployment, now);
  // the status stays, and so does its version
  reportStatus(tx, deployment, { access });
}

type Answer = Pick<CommandData<'deployment_apply'>, 'access' | 'access_question'>;

/** Whether main-api answers the question that this region has asked of the deployment when it was restored. */
export const isAnswered = (
  deployment: Pick<Deployment, 'access_question'>,
  { access_question }: Pick<Answer, 'access_question'>,
): boolean => access_question !== undefined && access_question === deployment.access_question;

/**
 * Takes over the copy that main-api has kept, where it is newer: this database was restored from an older copy. Where it is older,
 * main-api's was, and is sent what is here. The deployment is locked.
 */
export async function compareAccess(
  tx: Tx,
  deployment: Deployment,
  { access, access_question }: Answer,
  { secrets, now }: { secrets: SecretBox; now: Date },
): Promise<void> {
  const { id, access_revision } = deployment;
  const isAnswer = isAnswered(deployment, { access_question });
  const isNewer = access !== undefined && access.revision > access_revision;
  if (isNewer) await takeAccess(tx, deployment, access, { secrets, rebuilt: false });
  else if ((access?.revision ?? 0) < access_revision) await reportAccess(tx, deployment, now);
  if (isAnswer) await changeDeployment(tx.db, id, { access_question: null });
  if (!isAnswer && !isNewer) return;
  await raiseRevision(tx.db, id);
  await scheduleNow(tx.db, id, now);
}

/** Gives a deployment that this region has lost, and made anew, the rules and logins that it had. @returns what it is then */
export async function restoreAccess(
  tx: Tx,
  deployment: Deployment,
  access: Access,
  secrets: SecretBox,
): Promise<Deployment> {
  // a database that is new would give out the ids of lost rows again
  await moveSequencesPastTime(tx);
  await takeAccess(tx, deployment, access, { secrets, rebuilt: true });
  return await lockDeployment(tx.db, deployment.id);
}

async function takeAccess(
  tx: Tx,
  deployment: Deployment,
  access: Access,
  { secrets, rebuilt }: { secrets: SecretBox; rebuilt: boolean },
): Promise<void> {
  const { id, username, sealed_password, spec } = deployment;
  const { login } = access;
  const changes = await replaceRules(tx.db, id, access.rules);
  // its key may be gone from the region's settings since
  const isReadable = await isOpened(secrets, login.sealed_password);
  if (isReadable) {
    await changeDeployment(tx.db, id, { username: login.username, sealed_password: login.sealed_password });
    await replaceFormerCredentials(tx.db, id, access.former_logins);
  }
  await changeDeployment(tx.db, id, { access_revision: access.revision });
  const isOther = login.username !== username || login.sealed_password !== sealed_password;
  const login_changed = rebuilt ? !isReadable : isReadable && isOther;
  if (!rebuilt && !login_changed && changes.deleted + changes.restored === 0) return;
  tx.emit('deployment_restored', subjectsOf(deployment), {
    ...{ name: spec.name, code: spec.code, rebuilt, login_changed },
    access_rules_deleted: changes.deleted,
    access_rules_restored: changes.restored,
  });
}

const isOpened = (secrets: SecretBox, sealed: string): Promise<boolean> =>
  secrets.open(sealed).then(
    () => true,
    () => false,
  );
