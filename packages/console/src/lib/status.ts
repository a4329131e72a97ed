import type { DeploymentStatus } from '@sluice/client';

/** What a status means for its reader. Each has its colour and its shape. */
export type StatusKind = 'ok' | 'busy' | 'warn' | 'bad' | 'idle';

interface ShownStatus {
  kind: StatusKind;
  word: string;
}

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
  (deploymentStatuses as Record<string, ShownStatus>)[status] ?? {
    kind: 'idle',
    word: status.replaceAll('_', ' '),
  };

export const allDeploymentStatuses = Object.keys(deploymentStatuses) as DeploymentStatus[];
