import { deploymentStatuses, statusIs, type DeploymentStatus } from '@sluice/contracts';
import { deletionOverdue } from '../features/deployments/conditions.store.ts';
import { dueCertificate } from './phases/certificate-phase.ts';
import { clusterStep, isRebuildable, lacksCopies } from './phases/cluster.ts';
import { upkeep } from './phases/node-phases.ts';
import { upgradePhases } from './phases/upgrade-phases.ts';
import type { Observed, ObservedNode, Phase, Step } from './phases/phase.ts';

/** How soon a deployment that only a command can move is reconciled without having been woken. */
const settledSeconds = 60;

/** How often a deployment that goes looks whether its links are gone. */
const linkSeconds = 5;

/** How soon a cluster is looked at again that waits to give a node its data back. */
const rebuildSeconds = 5;

/** One whose status only a newer release knows is left to a replica of that. */
const foreignSeconds = 1;

/** The phase that a deployment of this status is in, if it is in one of `phases`, or in one of an upgrade. */
export function phaseOf(status: DeploymentStatus, phases: readonly Phase[]): Phase | undefined {
  return [...phases, ...upgradePhases].find((phase) => phase.status === status);
}

/** How far a deployment is, without its nodes. */
type Progress = Pick<Observed, 'status' | 'deleting' | 'secondsInStatus' | 'deadlineSeconds' | 'conditions'>;

/** Whether the next step depends on the nodes: observing them costs more than the rest. */
export function dependsOnNodes(observed: Progress, phases: readonly Phase[]): boolean {
  const { status, deleting } = observed;
  // a driver that does not say how they are must not keep people from hearing that it takes too long
  if (deleting) return status === 'deleting' && !isUnreportedOverdue(observed);
  return statusIs('settled', status) || phaseOf(status, phases)?.dependsOnNodes === true;
}

/** Decides the one next step that brings a deployment, through `phases`, closer to what it should be. */
export function nextStep(observed: Observed, phases: readonly Phase[]): Step {
  if (observed.deleting) return removal(observed);
  const aboutNodes = dependsOnNodes(observed, phases)
    ? (dataStep(observed) ?? placementStep(observed) ?? clusterStep(observed))
    : undefined;
  return aboutNodes ?? wantedStep(observed, phases);
}

function wantedStep(observed: Observed, phases: readonly Phase[]): Step {
  const { status } = observed;
  if (status === 'creating') return { do: 'enter', status: phases[0]?.status ?? 'initialized' };
  const phase = phaseOf(status, phases);
  if (phase) return missedCertificate(observed, phase) ?? provisioning(observed, phase, phases);
  if (statusIs('settled', status)) {
    const due = dueCertificate(observed);
    if (due) return due;
    if (observed.connectorsUnreported === true) return { do: 'report_connectors' };
  }
  if (statusIs('acceptsTasks', status)) {
    const next = standstill(observed) ?? (observed.upgrade && { do: 'begin_upgrade' });
    return next ?? upkeep(observed, observed.certificate?.dueInSeconds);
  }
  if (status === 'failed') return recovery(observed, phases);
  return { do: 'wait', seconds: deploymentStatuses.includes(status) ? settledSeconds : foreignSeconds };
}

/** A certificate that is lacking after its phase is obtained all the same, for nodes wait for it. */
function missedCertificate(observed: Observed, { dependsOnNodes: isLater }: Phase): Step | undefined {
  return isLater && observed.certificate?.issued === false ? dueCertificate(observed) : undefined;
}

/** Stopped is a deployment whose brokers are all stopped as wanted, and no longer once one of them runs. */
function standstill({ status, nodes, backingUp }: Observed): Step | undefined {
  if (backingUp === true) return undefined;
  const rests = ({ stopped, broker }: ObservedNode) => stopped && broker?.status === 'stopped';
  const serves = ({ stopped, broker }: ObservedNode) => !stopped && broker?.status === 'running';
  if (status === 'initialized' && nodes.length > 0 && nodes.every(rests))
    return { do: 'enter', status: 'stopped' };
  if (status === 'stopped' && nodes.some(serves)) return { do: 'enter', status: 'initialized' };
  return undefined;
}

/** What there is to do about the data of the nodes before anything else. */
function dataStep(observed: Observed): Step | undefined {
  const { status, nodes } = observed;
  const isGone = ({ deployed, presence, dataGone }: ObservedNode) =>
    deployed && (presence === 'none' || dataGone === true);
  const lost = nodes.filter(isGone);
  const others = { ...observed, nodes: nodes.filter((node) => !lost.includes(node)) };
  if (lost.length > 0) {
    const rebuildable = isRebuildable(observed, lost);
    if (rebuildable === 'now') return { do: 'rebuild_nodes', nodes: lost.map(({ id }) => id) };
    if (rebuildable === 'later') return upkeep(others, rebuildSeconds);
  }
  const unreported = lost.filter(({ dataLost }) => !dataLost);
  if (unreported.length > 0) return { do: 'lose_data', nodes: unreported.map(({ id }) => id) };
  const found = nodes.filter((node) => node.dataLost && !isGone(node));
  if (found.length > 0) return { do: 'find_data', nodes: found.map(({ id }) => id) };
  // the others are kept up until a person decides
  if (lost.length > 0) return upkeep(others);
  const holding = nodes.filter(({ deployed, presence }) => !deployed && presence === 'running');
  if (status === 'initialized' && holding.length > 0 && lacksCopies(observed) === null)
    return { do: 'record_data', nodes: holding.map(({ id }) => id) };
  return undefined;
}

/** Where nodes are now, and are reached, is stored at once. */
function placementStep({ nodes, changedPlacement = [] }: Observed): Step | undefined {
  const placed = nodes.flatMap(({ id, address, addressChanged }) =>
    address && addressChanged === true ? [{ id, address }] : [],
  );
  if (placed.length > 0) return { do: 'record_addresses', nodes: placed };
  return changedPlacement.length > 0 ? { do: 'record_placement', conditions: changedPlacement } : undefined;
}

/** Whether a deletion takes too long, and that is not reported yet. */
function isUnreportedOverdue({ status, secondsInStatus, deadlineSeconds, conditions }: Progress): boolean {
  return status === 'deleting' && secondsInStatus >= deadlineSeconds && !conditions.has(deletionOverdue);
}

function removal(observed: Observed): Step {
  const { status, nodes, deadlineSeconds, lastError, links = { present: 0, unasked: 0 } } = observed;
  if (status !== 'deleting') return { do: 'enter', status: 'deleting' };
  if (isUnreportedOverdue(observed)) {
    const error = lastError === null ? '' : `: ${lastError}`;
    return { do: 'report_overdue', reason: `deleting did not finish within ${deadlineSeconds} s${error}` };
  }
  if (links.unasked > 0) return { do: 'remove_links' };
  if (nodes.some(({ presence }) => presence !== 'none')) return { do: 'remove_nodes' };
  // the replica that sees the last one gone wakes the deployment
  if (links.present > 0) return { do: 'wait', seconds: linkSeconds };
  return { do: 'remove_deployment' };
}

/** What has failed goes on with what is lacking, for as long as it takes. */
function recovery(observed: Observed, phases: readonly Phase[]): Step {
  const phase = lackingPhase(observed, phases);
  return phase ? phase.next(observed, Infinity) : { do: 'enter', status: 'initialized' };
}

/** The first phase that lacks something. */
export function lackingPhase(observed: Observed, phases: readonly Phase[]): Phase | undefined {
  return phases.find((phase) => phase.lacks(observed) !== null);
}

function provisioning(observed: Observed, phase: Phase, phases: readonly Phase[]): Step {
  const lacking = phase.lacks(observed);
  if (lacking === null) {
    return phase.done ?? { do: 'enter', status: phases[phases.indexOf(phase) + 1]?.status ?? 'initialized' };
  }
  const { deadlineSeconds = observed.deadlineSeconds } = phase;
  const secondsLeft = deadlineSeconds - observed.secondsInStatus;
  if (secondsLeft > 0) return phase.next(observed, secondsLeft);
  const error = observed.lastError === null ? '' : ` (${observed.lastError})`;
  const reason = `${phase.status} did not finish within ${deadlineSeconds} s: ${lacking}${error}`;
  return phase.missed?.(reason) ?? { do: 'fail', reason };
}
