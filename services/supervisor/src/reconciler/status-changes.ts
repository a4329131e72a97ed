import { canFollow, type DeploymentStatus, type UpgradeReport } from '@sluice/contracts';
import { reportStatus } from '@sluice/region-store/status-report';
import type { Tx } from '@sluice/region-store/tables';
import { findConnectorsState, recordReport } from '../features/connectors/connector-reports.store.ts';
import { deletionOverdue, setCondition, type Condition } from '../features/deployments/conditions.store.ts';
import { nameAndCode, setStatus, subjectsOf, type Deployment } from '@sluice/region-store/deployments.store';
import { suspension } from '../spending/suspension.ts';
import { settleSpending } from '../spending/settle-spending.ts';
import { adoptRuntimeVersions } from '../features/configs/configs.store.ts';
import { findRuntimeVersions } from '@sluice/region-store/nodes.store';
import { markReported } from '@sluice/region-store/reconciliations.store';

/** characters that people get to read; the report takes more */
const longestReason = 1_000;

/** The status that a deployment comes into, why, and what has come of an upgrade by that. */
interface Change {
  status: DeploymentStatus;
  reason?: string | null;
  upgrade?: UpgradeReport | undefined;
}

/** Brings a deployment into a status, and reports and emits that. */
export async function enter(
  tx: Tx,
  deployment: Deployment,
  { status, reason, upgrade }: Change,
  now: Date,
): Promise<void> {
  const { id } = deployment;
  if (!canFollow(deployment.status, status)) throw new Error(`${status} cannot follow ${deployment.status}`);
  const said = bounded(reason ?? null);
  const changed = await setStatus(tx.db, id, said, { status, at: now });
  reportStatus(tx, changed, upgrade && { upgrade });
  await settleSpending(tx, id, now);
  const [about, named] = [subjectsOf(deployment), nameAndCode(deployment)];
  if (status === 'failed') {
    await markReported(tx.db, id);
    tx.emit('deployment_failed', about, { ...named, reason: said ?? '' });
  }
  if (status === 'stopped') tx.emit('deployment_stopped', about, named);
  if (deployment.status === 'stopped' && status === 'initialized')
    tx.emit('deployment_started', about, named);
  if (status === 'initialized' && (await setCondition(tx.db, id, completed('Initialized'), now))) {
    await adoptRuntimeVersions(tx.db, id, await findRuntimeVersions(tx.db, id));
    tx.emit('deployment_initialized', about, named);
  }
}

/** Reports another reason; the status stays. */
export async function explain(tx: Tx, deployment: Deployment, reason: string | null): Promise<void> {
  const changed = await setStatus(tx.db, deployment.id, bounded(reason));
  await markReported(tx.db, deployment.id);
  reportStatus(tx, changed);
}

/** Reports, once, that the deletion is overdue; it is tried on. */
export async function reportOverdue(
  tx: Tx,
  deployment: Deployment,
  reason: string,
  now: Date,
): Promise<void> {
  const overdue = { ...completed(deletionOverdue), reason: 'DeadlineExceeded', message: reason };
  if (!(await setCondition(tx.db, deployment.id, overdue, now))) return;
  tx.emit('deployment_deletion_overdue', subjectsOf(deployment), { ...nameAndCode(deployment), reason });
  await explain(tx, deployment, reason);
}

/** Reports how the deployment's connectors are. */
export async function reportConnectors(tx: Tx, deployment: Deployment): Promise<void> {
  const { id } = deployment;
  const state = await findConnectorsState(tx.db, id);
  if (!state) return;
  const version = await recordReport(tx.db, id, state);
  reportStatus(tx, deployment, { connectors: { version, ...state } });
}

/** Why a deployment in this status rests that no person has stopped: its spend limit is reached. */
export function restReason(status: DeploymentStatus, { limited_until }: Deployment): string | null {
  if (status !== 'stopped' || limited_until === null) return null;
  if (limited_until >= suspension) return 'the operator has suspended its tenant';
  return `its spend limit is reached: it starts when the limit is raised, or at ${limited_until.toISOString()}`;
}

/** A condition that holds. */
export function completed(type: string): Condition {
  return { type, status: 'True', reason: 'Completed', message: '' };
}

function bounded(reason: string | null): string | null {
  return reason && reason.slice(0, longestReason);
}
