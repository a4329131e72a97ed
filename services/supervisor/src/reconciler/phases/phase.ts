import type {
  AppliedState,
  BrokerResources,
  DeploymentSpec,
  DeploymentStatus,
  Heartbeat,
  NodeId,
  ReportedCluster,
} from '@sluice/contracts';
import type { NodeAddress, NodePlacement, NodePresence } from '@sluice/drivers';
import type { Database } from '@sluice/region-store/tables';
import type { Route } from '@sluice/region-store/clusters.store';
import type { Condition } from '../../features/deployments/conditions.store.ts';
import type { CertificateState } from '@sluice/region-store/certificates.store';
import type { Upgrade } from '@sluice/region-store/upgrades.store';

/** A status on the way to `initialized`, as a value: left as soon as it lacks nothing. */
export interface Phase {
  readonly status: DeploymentStatus;
  /** how long it may last; the installation's deadline when absent */
  readonly deadlineSeconds?: number;
  /** whether it depends on the nodes: observing them costs more than the rest */
  readonly dependsOnNodes: boolean;
  /** the condition that becomes true with it; absent where what is observed says all */
  readonly condition?: string;
  /** What it still lacks, as people read it in the status reason; null when it is done. */
  lacks(observed: Observed): string | null;
  /** Why it takes longer, where that is known, as people read it in the status reason while it lasts. */
  explains?(observed: Observed): string | null;
  /** the step when it lacks nothing; absent: to enter the next phase */
  readonly done?: Step;
  /** The step when its deadline has passed; absent: to fail. */
  missed?(reason: string): Step;
  /** The step that brings it closer; `secondsLeft` until its deadline, infinite when that has passed. */
  next(observed: Observed, secondsLeft: number): Step;
}

/** A phase that is done at once, in one transaction, by the network driver. */
export interface OneTimePhase extends Phase {
  readonly condition: string;
  /** what Sluice itself adds to the driver's part, in the same transaction */
  run?(tx: Database, deployment: DeploymentSpec, now: Date): Promise<void>;
}

export interface ObservedNode {
  id: NodeId;
  name: string;
  /** whether it has held data */
  deployed: boolean;
  /** whether the loss of its data was reported */
  dataLost: boolean;
  presence: NodePresence;
  /** whether it is not as it should be, although an agent may be at work */
  drifted?: boolean;
  /** whether it has to be restarted to be as it should be, its agent included */
  awaitsRestart?: boolean;
  /** whether what it has stored is gone, although something else of it is there */
  dataGone?: boolean;
  /** why it is not at work, as people read it */
  reason?: string;
  /** what it waits for that no driver can do, as people read it */
  waitsFor?: string;
  /** how soon another look is worthwhile without a notification, in seconds */
  lookAgainSeconds?: number;
  /** where clients reach it; null while that is not known, absent where its gateway says so */
  address?: NodeAddress | null;
  /** whether another address is stored */
  addressChanged?: boolean;
  placement?: NodePlacement;
  enrolled: boolean;
  /** whether its broker is to be stopped */
  stopped: boolean;
  /** the broker, as the agent's last heartbeat has it; undefined before the first */
  broker: Heartbeat['runtimes'][number] | undefined;
  appliedRevision: number;
  /** the upgrade whose resources it shall have already; null: those of the deployment */
  upgradeId: string | null;
  /** what has come of which revision, as the agent's last heartbeat has it; null when it does not say */
  applied: AppliedState | null;
  /** how its broker is as one of a cluster, as that heartbeat has it; null when it does not say */
  cluster: ReportedCluster | null;
}

/** Where clients reach a node. */
export interface PlacedNode {
  id: NodeId;
  address: NodeAddress;
}

/** What there is to know of a deployment that is a cluster, its nodes apart. */
export interface ObservedCluster {
  /** whether its brokers have what they trust each other by, with time left */
  prepared: boolean;
  /** where its brokers listen, in the desired state of agents */
  routes: readonly Route[];
  /** whose broker may be replaced by another process; null: none's */
  turn: NodeId | null;
  /** by which revision all nodes have been asked how they are, since that node is back */
  askedRevision: number | null;
}

/** All that the next step of a deployment depends on. */
export interface Observed {
  status: DeploymentStatus;
  /** how long it has been in this status while a supervisor was there */
  secondsInStatus: number;
  /** how long it may stay in a phase that sets no deadline of its own */
  deadlineSeconds: number;
  deleting: boolean;
  /** what went wrong last in this phase, if anything did */
  lastError: string | null;
  /** the conditions that are true; left empty outside of deletions and of phases that have one */
  conditions: ReadonlySet<string>;
  /** what its brokers may use, an upgrade apart */
  resources: BrokerResources;
  /** the upgrade that it is in, or the next one; left out where none can begin */
  upgrade?: Pick<Upgrade, 'upgrade_id' | 'resources'>;
  /** left out where it is none, and once it is to be deleted */
  cluster?: ObservedCluster;
  /** left out where deployments have none, and once it is to be deleted */
  certificate?: CertificateState;
  /** whether brokers are stopped for a moment to be copied */
  backingUp?: boolean;
  /** whether main-api does not know how its connectors are */
  connectorsUnreported?: boolean;
  /** what the nodes should be in */
  revision: number;
  /** how long a deployment that lacks nothing rests, unless it is woken */
  restSeconds: number;
  /** of one that is being deleted: how many links are not gone, and how many of these have no request to be deleted */
  links?: { present: number; unasked: number };
  /** conditions about where the nodes are that are stored otherwise */
  changedPlacement?: readonly Condition[];
  /** left empty where the next step does not depend on them */
  nodes: readonly ObservedNode[];
}

export type Step =
  | { do: 'enter'; status: DeploymentStatus }
  | { do: 'run_phase'; phase: OneTimePhase }
  | { do: 'ensure_nodes' }
  /** stores where these nodes are reached */
  | { do: 'record_addresses'; nodes: readonly PlacedNode[] }
  /** stores whether the nodes are placed as the deployment's options say */
  | { do: 'record_placement'; conditions: readonly Condition[] }
  | { do: 'fail'; reason: string }
  /** people read another reason of a status that stays */
  | { do: 'explain'; reason: string | null; condition?: Condition }
  /** the upgrade that waits begins */
  | { do: 'begin_upgrade' }
  /** the node gets the resources of the upgrade, or with null those of the deployment */
  | { do: 'reshape_node'; node: NodeId; upgradeId: string | null }
  /** the deployment goes back to what it was before the upgrade */
  | { do: 'roll_back'; reason: string }
  /** the upgrade, or the way back, is done */
  | { do: 'end_upgrade' }
  /** the first certificate, or the next */
  | { do: 'obtain_certificate' }
  /** the brokers of a cluster get what they trust each other by, or its successor */
  | { do: 'prepare_cluster' }
  /** its agents get to know where its brokers listen for each other */
  | { do: 'publish_routes'; routes: readonly Route[] }
  /** the broker of this node may be replaced by another process */
  | { do: 'grant_turn'; node: NodeId }
  /** all nodes are to say how they are, now that this one is back */
  | { do: 'ask_nodes'; node: NodeId }
  /** the next one may */
  | { do: 'end_turn' }
  /** these nodes start empty: the others of the cluster have all that they held */
  | { do: 'rebuild_nodes'; nodes: readonly NodeId[] }
  /** main-api gets to know how the connectors are */
  | { do: 'report_connectors' }
  /** these nodes hold data from now on */
  | { do: 'record_data'; nodes: readonly NodeId[] }
  /** what these nodes held is gone: a person has to know, and to say whether they may start empty */
  | { do: 'lose_data'; nodes: readonly NodeId[] }
  /** what these nodes held is there again */
  | { do: 'find_data'; nodes: readonly NodeId[] }
  | { do: 'remove_links' | 'remove_nodes' | 'remove_deployment' }
  /** people get to know that the deletion takes too long */
  | { do: 'report_overdue'; reason: string }
  /** nothing to do until something changes; reconciled again after `seconds` even if nothing wakes it */
  | { do: 'wait'; seconds: number };

/** A phase that is done once its condition is true. */
export function oneTimePhase(
  phase: Pick<OneTimePhase, 'status' | 'condition' | 'deadlineSeconds' | 'run'> & { lacking: string },
): OneTimePhase {
  const { lacking, ...entry } = phase;
  const value: OneTimePhase = {
    ...entry,
    dependsOnNodes: false,
    lacks: ({ conditions }) => (conditions.has(entry.condition) ? null : lacking),
    next: () => ({ do: 'run_phase', phase: value }),
  };
  return value;
}
