import type { DeploymentStatus, NodeStatus, RuntimeStatus } from '@sluice/client';
import type { ShownStatus } from '@sluice/ui/lib/status.ts';

const deploymentStatuses: Record<DeploymentStatus, ShownStatus> = {
  creating: { kind: 'busy', word: 'Creating' },
  creating_subnet: { kind: 'busy', word: 'Creating the subnet' },
  securing_network: { kind: 'busy', word: 'Securing the network' },
  configuring_dns: { kind: 'busy', word: 'Configuring DNS' },
  configuring_certificates: { kind: 'busy', word: 'Configuring certificates' },
  waiting_for_nodes: { kind: 'busy', word: 'Waiting for nodes' },
  deploying_nodes: { kind: 'busy', word: 'Deploying nodes' },
  initialized: { kind: 'ok', word: 'Running' },
  upgrading: { kind: 'busy', word: 'Upgrading' },
  extending: { kind: 'busy', word: 'Extending' },
  rolling_back: { kind: 'warn', word: 'Rolling back' },
  stopped: { kind: 'idle', word: 'Stopped' },
  deleting: { kind: 'busy', word: 'Deleting' },
  failed: { kind: 'bad', word: 'Failed' },
};

/** How a deployment's status is shown. A newer release may know others. */
export const shownDeploymentStatus = (status: string): ShownStatus =>
  (deploymentStatuses as Record<string, ShownStatus>)[status] ?? unknownStatus(status);

export const allDeploymentStatuses = Object.keys(deploymentStatuses) as DeploymentStatus[];

const nodeStatuses: Record<NodeStatus, ShownStatus> = {
  waiting_for_enrolment: { kind: 'warn', word: 'Waiting for enrolment' },
  pending: { kind: 'busy', word: 'Starting' },
  healthy: { kind: 'ok', word: 'Healthy' },
  unhealthy: { kind: 'bad', word: 'Unhealthy' },
  unreachable: { kind: 'bad', word: 'Unreachable' },
};

const runtimeStatuses: Record<RuntimeStatus, ShownStatus> = {
  starting: { kind: 'busy', word: 'starting' },
  running: { kind: 'ok', word: 'running' },
  stopped: { kind: 'idle', word: 'stopped' },
  failed: { kind: 'bad', word: 'failed' },
};

const unknownStatus = (status: string): ShownStatus => ({ kind: 'idle', word: status.replaceAll('_', ' ') });

/** How the status of a node is shown. */
export const shownNodeStatus = (status: string): ShownStatus =>
  (nodeStatuses as Record<string, ShownStatus>)[status] ?? unknownStatus(status);

/** How the status of a program on a node is shown. */
export const shownRuntimeStatus = (status: string): ShownStatus =>
  (runtimeStatuses as Record<string, ShownStatus>)[status] ?? unknownStatus(status);

const workStatuses: Record<string, ShownStatus> = {
  pending: { kind: 'busy', word: 'Waiting' },
  queued: { kind: 'busy', word: 'Waiting' },
  processing: { kind: 'busy', word: 'Under way' },
  running: { kind: 'busy', word: 'Under way' },
  in_progress: { kind: 'busy', word: 'Under way' },
  completed: { kind: 'ok', word: 'Done' },
  failed: { kind: 'bad', word: 'Failed' },
  rejected: { kind: 'bad', word: 'Rejected' },
  rolled_back: { kind: 'warn', word: 'Rolled back' },
  cancelled: { kind: 'idle', word: 'Cancelled' },
};

/** How the status of something that is done once is shown: a task, an activity, an upgrade. */
export const shownWork = (status: string): ShownStatus => workStatuses[status] ?? unknownStatus(status);

const linkStatuses: Record<string, ShownStatus> = {
  initiating_request: { kind: 'busy', word: 'Being requested' },
  pending_acceptance: { kind: 'warn', word: 'Waits for you' },
  provisioning: { kind: 'busy', word: 'Being set up' },
  pending: { kind: 'busy', word: 'Being made' },
  inactive: { kind: 'warn', word: 'Waits for you' },
  active: { kind: 'ok', word: 'Active' },
  available: { kind: 'ok', word: 'Available' },
  rejected: { kind: 'bad', word: 'Rejected' },
  expired: { kind: 'bad', word: 'Expired' },
  failed: { kind: 'bad', word: 'Failed' },
  deleting: { kind: 'busy', word: 'Being deleted' },
  accepted: { kind: 'ok', word: 'Accepted' },
  needs_attention: { kind: 'warn', word: 'Needs attention' },
  deleted: { kind: 'idle', word: 'Deleted' },
  closed: { kind: 'idle', word: 'Closed' },
};

/** How the status of a peering or a private link is shown. */
export const shownLink = (status: string): ShownStatus => linkStatuses[status] ?? unknownStatus(status);

const backupStatuses: Record<string, ShownStatus> = {
  pending: { kind: 'busy', word: 'Waiting' },
  in_progress: { kind: 'busy', word: 'Being taken' },
  completed: { kind: 'ok', word: 'Complete' },
  failed: { kind: 'bad', word: 'Failed' },
  deleting: { kind: 'busy', word: 'Being deleted' },
};

/** How the status of a backup is shown. */
export const shownBackup = (status: string): ShownStatus => backupStatuses[status] ?? unknownStatus(status);

const connectorStatuses: Record<string, ShownStatus> = {
  pending: { kind: 'busy', word: 'Waiting for a node' },
  active: { kind: 'ok', word: 'Working' },
  inactive: { kind: 'idle', word: 'Switched off' },
  failed: { kind: 'bad', word: 'Failed' },
};

/** How the status of an instance of a connector is shown. @param reason what it waits for, or what is wrong */
export const shownConnector = (status: string, reason: string | null = null): ShownStatus =>
  status === 'active' && reason !== null
    ? { kind: 'warn', word: 'Does nothing yet' }
    : (connectorStatuses[status] ?? unknownStatus(status));

const checkStatuses: Record<string, ShownStatus> = {
  critical: { kind: 'bad', word: 'Critical' },
  warning: { kind: 'warn', word: 'Warning' },
  unknown: { kind: 'idle', word: 'Unknown' },
  ok: { kind: 'ok', word: 'In order' },
};

/** How the result of a check of a diagnostic report is shown. */
export const shownCheck = (status: string): ShownStatus => checkStatuses[status] ?? unknownStatus(status);
