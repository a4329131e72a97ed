import type { DeploymentStatus, Heartbeat } from '@sluice/contracts';
import type { ComputeStep, NodePresence } from '../compute/compute-driver.ts';
import type { NetworkStep } from '../network/network-driver.ts';

/** A status that the reconciler works in: left for the next one as soon as nothing is missing. */
export type ProvisioningStep = NetworkStep | ComputeStep;

export interface ObservedNode {
  name: string;
  presence: NodePresence;
  enrolled: boolean;
  /** the broker, as the agent's last heartbeat has it; undefined before the first */
  broker: Heartbeat['runtimes'][number] | undefined;
  appliedRevision: number;
}

/** All that the next step of a deployment depends on. */
export interface Observed {
  status: DeploymentStatus;
  /** how long it has been in this status */
  secondsInStatus: number;
  /** how long it may stay in one status of provisioning */
  deadlineSeconds: number;
  /** what the drivers of this installation do, in their order */
  steps: readonly ProvisioningStep[];
  deleting: boolean;
  /** what went wrong last in this status, if anything did */
  lastError: string | null;
  hasSubnet: boolean;
  networkSecured: boolean;
  dnsConfigured: boolean;
  /** what the nodes should be in */
  revision: number;
  /** left empty where the next step does not depend on them */
  nodes: readonly ObservedNode[];
}

/** Whether the next step depends on the nodes: looking at them costs more than the rest. */
export function dependsOnNodes({ status, deleting }: Pick<Observed, 'status' | 'deleting'>): boolean {
  if (deleting) return status === 'deleting';
  return status === 'waiting_for_nodes' || status === 'deploying_nodes' || status === 'initialized';
}

export type Step =
  | { do: 'enter'; status: DeploymentStatus }
  | { do: 'create_subnet' | 'secure_network' | 'configure_dns' }
  | { do: 'ensure_nodes' }
  | { do: 'fail'; reason: string }
  | { do: 'remove_nodes' | 'remove_deployment' }
  /** nothing to do until something changes; looked at again after `seconds` even if nothing wakes it */
  | { do: 'rest'; seconds: number };

/** How soon a deployment that runs, or waits, is looked at without having been woken. */
const lookAgainSeconds = 1;
/** The same for one that only a command can move. */
const settledSeconds = 60;

/** Decides the one next step that brings a deployment closer to what it should be. */
export function nextStep(observed: Observed): Step {
  if (observed.deleting) return removal(observed);
  const { status } = observed;
  if (status === 'creating') return { do: 'enter', status: following(observed, undefined) };
  if (isProvisioning(status)) return provisioning(observed, status);
  if (status === 'initialized') return upkeep(observed);
  return { do: 'rest', seconds: settledSeconds };
}

function removal({ status, nodes }: Observed): Step {
  if (status !== 'deleting') return { do: 'enter', status: 'deleting' };
  if (nodes.some(({ presence }) => presence !== 'none')) return { do: 'remove_nodes' };
  return { do: 'remove_deployment' };
}

function provisioning(observed: Observed, step: ProvisioningStep): Step {
  const missing = missingIn(observed, step);
  if (missing === null) return { do: 'enter', status: following(observed, step) };
  const left = observed.deadlineSeconds - observed.secondsInStatus;
  if (left <= 0) return { do: 'fail', reason: reasonOf(observed, step, missing) };
  switch (step) {
    case 'creating_subnet':
      return { do: 'create_subnet' };
    case 'securing_network':
      return { do: 'secure_network' };
    case 'configuring_dns':
      return { do: 'configure_dns' };
    case 'waiting_for_nodes':
    case 'deploying_nodes':
      return upkeep(observed, left);
  }
}

/** Keeps the agents running. */
function upkeep({ nodes }: Observed, secondsLeft = Infinity): Step {
  if (nodes.some(({ presence }) => presence !== 'running')) return { do: 'ensure_nodes' };
  return { do: 'rest', seconds: Math.min(lookAgainSeconds, secondsLeft) };
}

/** The status after `step`; without one, the first. */
function following({ steps }: Observed, step: ProvisioningStep | undefined): DeploymentStatus {
  const position = step === undefined ? -1 : steps.indexOf(step);
  return steps[position + 1] ?? 'initialized';
}

const provisioningSteps: readonly string[] = [
  'creating_subnet',
  'securing_network',
  'configuring_dns',
  'waiting_for_nodes',
  'deploying_nodes',
] satisfies ProvisioningStep[];

function isProvisioning(status: DeploymentStatus): status is ProvisioningStep {
  return provisioningSteps.includes(status);
}

/** What `step` still lacks, as people read it in the status reason; null when it is done. */
function missingIn(observed: Observed, step: ProvisioningStep): string | null {
  switch (step) {
    case 'creating_subnet':
      return observed.hasSubnet ? null : 'the deployment has no subnet';
    case 'securing_network':
      return observed.networkSecured ? null : 'the network is not secured';
    case 'configuring_dns':
      return observed.dnsConfigured ? null : 'the domain is not configured';
    case 'waiting_for_nodes':
      return listed(observed.nodes, ({ presence, enrolled }) => {
        if (enrolled && presence === 'running') return null;
        return presence === 'running' ? 'its agent has not enrolled' : 'its agent does not run';
      });
    case 'deploying_nodes':
      return listed(observed.nodes, (node) => undeployed(node, observed.revision));
  }
}

function undeployed({ presence, broker, appliedRevision }: ObservedNode, revision: number): string | null {
  if (presence !== 'running') return 'its agent does not run';
  if (broker?.status !== 'running') {
    return broker ? `its broker is ${broker.status}${detail(broker.reason)}` : 'its agent has not reported';
  }
  return appliedRevision >= revision ? null : 'its agent has not applied the configuration';
}

function listed(
  nodes: readonly ObservedNode[],
  missing: (node: ObservedNode) => string | null,
): string | null {
  const lines = nodes.flatMap((node) => {
    const what = missing(node);
    return what === null ? [] : [`node ${node.name}: ${what}`];
  });
  return lines.length === 0 ? null : lines.join('; ');
}

function reasonOf({ deadlineSeconds, lastError }: Observed, step: ProvisioningStep, missing: string): string {
  return `${step} did not finish within ${deadlineSeconds} s: ${missing}${detail(lastError)}`;
}

const detail = (text: string | null) => (text === null ? '' : ` (${text})`);
