/** The statuses of deployments and of their upgrades, with what follows from each (interface, 3). */

interface DeploymentStatusRow {
  /** on the way from `creating` to `initialized`; an installation goes through those that its drivers do */
  provisioning?: true;
  /** the region leaves it by itself, within a deadline: what fails is tried again after short pauses */
  transient?: true;
  /** the deployment has been provisioned, and its nodes are looked after */
  settled?: true;
  /** its price is charged */
  billable?: true;
  /** its brokers are as they are wanted and no change is under way: tasks, backups and configurations may begin */
  acceptsTasks?: true;
  acceptsUpgrade?: true;
  /** an upgrade is under way */
  upgrading?: true;
  /** its reason says why the deployment came into it, and stays until it leaves */
  keepsReason?: true;
  /** what can follow; after a status of `provisioning` also each later one of these */
  next: readonly string[];
}

const provisioning = {
  provisioning: true,
  transient: true,
  next: ['initialized', 'failed', 'deleting'],
} as const;
const upgrading = { transient: true, billable: true, upgrading: true } as const;

const deploymentStatusRows = {
  creating: provisioning,
  creating_subnet: provisioning,
  securing_network: provisioning,
  configuring_dns: provisioning,
  configuring_certificates: provisioning,
  waiting_for_nodes: provisioning,
  deploying_nodes: provisioning,
  initialized: {
    ...{ settled: true, billable: true, acceptsTasks: true, acceptsUpgrade: true },
    next: ['upgrading', 'extending', 'stopped', 'failed', 'deleting'],
  },
  upgrading: { ...upgrading, next: ['initialized', 'rolling_back', 'failed', 'deleting'] },
  extending: { ...upgrading, next: ['initialized', 'failed', 'deleting'] },
  rolling_back: { ...upgrading, keepsReason: true, next: ['initialized', 'failed', 'deleting'] },
  stopped: { settled: true, acceptsTasks: true, next: ['initialized', 'failed', 'deleting'] },
  deleting: { next: [] },
  failed: { settled: true, keepsReason: true, next: ['initialized', 'deleting'] },
} as const satisfies Record<string, DeploymentStatusRow>;

export type DeploymentStatus = keyof typeof deploymentStatusRows;
/** In the order in which a deployment goes through them. */
export const deploymentStatuses = Object.keys(deploymentStatusRows) as DeploymentStatus[];
const rowOf = (status: string): DeploymentStatusRow | undefined =>
  (deploymentStatusRows as Record<string, DeploymentStatusRow>)[status];

type StatusAttribute = Exclude<keyof DeploymentStatusRow, 'next'>;

/** False for a status that only a newer release knows. */
export const statusIs = (attribute: StatusAttribute, status: string): boolean =>
  rowOf(status)?.[attribute] === true;

export const statusesThatAre = (attribute: StatusAttribute): DeploymentStatus[] =>
  deploymentStatuses.filter((status) => statusIs(attribute, status));

/** True where only a newer release knows the former status. */
export function canFollow(from: DeploymentStatus, to: DeploymentStatus): boolean {
  const isLater = deploymentStatuses.indexOf(to) > deploymentStatuses.indexOf(from);
  const isProvisioned = statusIs('provisioning', from) && statusIs('provisioning', to) && isLater;
  return isProvisioned || (rowOf(from)?.next.includes(to) ?? true);
}

/** How far an upgrade is for people: `pending` until it has begun, which is not reported. */
export const openUpgradeStatuses = ['pending', 'in_progress'] as const;
export const endedUpgradeStatuses = ['completed', 'rolled_back', 'failed'] as const;
export const upgradeStatuses = [...openUpgradeStatuses, ...endedUpgradeStatuses] as const;
export type UpgradeStatus = (typeof upgradeStatuses)[number];
