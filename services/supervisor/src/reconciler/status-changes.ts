import type { ConnectorsReport, DeploymentStatus, UpgradeReport } from '@sluice/contracts';
import type { Outgoing } from '@sluice/messaging';
import type { Transaction } from '../database/tables.ts';
import { findConnectorsState, recordTold } from '../stores/connectors-told.store.ts';
import { deletionOverdue, setCondition, type Condition } from '../stores/conditions.store.ts';
import { setStatus, setStatusReason, subjectsOf, type Deployment } from '../stores/deployments.store.ts';
import { settleSpending } from '../spending/settle-spending.ts';
import { adoptRuntimeVersions } from '../stores/configs.store.ts';
import { findRuntimeVersions } from '../stores/nodes.store.ts';
import { markTold } from '../stores/reconciliations.store.ts';

/** characters that people get to read; the report takes more */
const longestReason = 1_000;

/** The status that a deployment comes into, why, and what has come of an upgrade by that. */
interface Change {
  status: DeploymentStatus;
  reason?: string | null;
  upgrade?: UpgradeReport | undefined;
}

/** Brings a deployment into a status, and tells main-api and whoever listens. */
export async function enter(
  tx: Transaction & Outgoing,
  deployment: Deployment,
  { status, reason, upgrade }: Change,
  now: Date,
): Promise<void> {
  const { id, shape } = deployment;
  const said = bounded(reason ?? null);
  const version = await setStatus(tx.db, id, status, said, now);
  const changed_at = now.toISOString();
  report(tx, deployment, { version, status, status_reason: said, changed_at, ...(upgrade && { upgrade }) });
  await settleSpending(tx, id, now);
  const { name, code } = shape;
  const about = subjectsOf(deployment);
  if (status === 'failed') {
    await markTold(tx.db, id);
    tx.emit('deployment_failed', about, { name, code, reason: said ?? '' });
  }
  if (status === 'stopped') tx.emit('deployment_stopped', about, { name, code });
  if (deployment.status === 'stopped' && status === 'initialized')
    tx.emit('deployment_started', about, { name, code });
  if (status === 'initialized' && (await setCondition(tx.db, id, completed('Initialized'), now))) {
    await adoptRuntimeVersions(tx.db, id, await findRuntimeVersions(tx.db, id));
    tx.emit('deployment_initialized', about, { name, code });
  }
}

/** Tells why the deployment is as it is; its status stays. */
export async function explain(
  tx: Transaction & Outgoing,
  deployment: Deployment,
  reason: string | null,
): Promise<void> {
  const { id, status, status_changed_at } = deployment;
  const said = bounded(reason);
  const version = await setStatusReason(tx.db, id, said);
  await markTold(tx.db, id);
  report(tx, deployment, {
    version,
    status,
    status_reason: said,
    changed_at: status_changed_at.toISOString(),
  });
}

/** Tells, once, that the deployment is not deleted yet; that is tried on. */
export async function tellOverdue(
  tx: Transaction & Outgoing,
  deployment: Deployment,
  reason: string,
  now: Date,
): Promise<void> {
  const { id, shape } = deployment;
  const overdue = {
    type: deletionOverdue,
    status: 'True',
    reason: 'DeadlineExceeded',
    message: reason,
  } as const;
  if (!(await setCondition(tx.db, id, overdue, now))) return;
  const { name, code } = shape;
  tx.emit('deployment_deletion_overdue', subjectsOf(deployment), { name, code, reason });
  await explain(tx, deployment, reason);
}

/** Tells main-api how the deployment's connectors are. */
export async function tellConnectors(tx: Transaction & Outgoing, deployment: Deployment): Promise<void> {
  const { id, status, status_reason, status_version, status_changed_at } = deployment;
  const state = await findConnectorsState(tx.db, id);
  if (!state) return;
  const connectors = { version: await recordTold(tx.db, id, state), ...state };
  // the status has its version, as it does not change
  const changed_at = status_changed_at.toISOString();
  report(tx, deployment, { version: status_version, status, status_reason, changed_at, connectors });
}

/** Why a deployment in this status rests although nobody has stopped it: its spend limit is reached. */
export function restReason(status: DeploymentStatus, { limited_until }: Deployment): string | null {
  if (status !== 'stopped' || limited_until === null) return null;
  return `its spend limit is reached: it starts when the limit is raised, or at ${limited_until.toISOString()}`;
}

/** A condition that holds. */
export function completed(type: string): Condition {
  return { type, status: 'True', reason: 'Completed', message: '' };
}

function report(
  tx: Outgoing,
  deployment: Deployment,
  news: {
    version: number;
    status: DeploymentStatus;
    status_reason: string | null;
    changed_at: string;
    upgrade?: UpgradeReport;
    connectors?: ConnectorsReport;
  },
): void {
  tx.report('deployment_status', { deployment_id: deployment.id, uid: deployment.uid, ...news });
}

function bounded(reason: string | null): string | null {
  return reason && reason.slice(0, longestReason);
}
