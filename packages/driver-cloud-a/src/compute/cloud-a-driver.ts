import type { Instance } from '@aws-sdk/client-ec2';
import type { NodeId } from '@sluice/contracts';
import { leastRecentlyUsed } from '@sluice/system/least-recently-used';
import {
  sizeOf,
  tokenMark,
  type ComputeDriver,
  type FoundNode,
  type NodePlacement,
  type NodeToEnsure,
  type NodeToObserve,
  type ObservedMachine,
  type WantedNode,
} from '@sluice/drivers';
import { roleSessions, type RoleOfNode } from './access.ts';
import { makeChange } from './make-change.ts';
import { instanceOf, nextChange, type Change, type WantedInstance } from './next-change.ts';
import { volumeOf } from './node-volume.ts';
import { removeObserved } from './removal.ts';
import { gatewayPorts, wantedEntries } from './rules.ts';
import { lookAtNode, listNodes, type NodeOwner, type ObservedState } from './observed-state.ts';
import { userData } from './user-data.ts';

export interface CloudADriverOptions {
  /** where nodes are to be; undefined where no deployment has such a node */
  findAccess(node: NodeId): Promise<RoleOfNode | undefined>;
  /** where all of them are, each account once */
  listAccesses(): Promise<RoleOfNode[]>;
  region: string;
  /** the address of this supervisor, which tells its objects from those of another in the same account */
  supervisor: string;
  image: string;
  instanceTypes: Readonly<Record<string, string>>;
  enrolmentCommand(node: NodeId, token: string): Promise<string>;
  now: () => Date;
}

/** changes that one call makes at most: each is decided on what is seen after the one before */
const mostChanges = 4;
/** how soon a look is worthwhile while the cloud is at something, and otherwise, for it sends no events. Seconds */
const looks = { underWay: 2, settled: 60 };

/**
 * Nodes that are instances in the customer's account of cloud_a, made through the role that they have prepared. What there is of a node carries its
 * tags; the next change follows from that and from what it shall be, so a supervisor that is killed after any of them is no other case.
 */
export function createCloudADriver(options: CloudADriverOptions): ComputeDriver {
  const { region, supervisor, image, now } = options;
  const session = roleSessions(region, now);
  /** where nodes were found of which no deployment is known */
  const foreign = leastRecentlyUsed<NodeId, RoleOfNode>(10_000);

  async function placeOf(nodeId: NodeId): Promise<RoleOfNode> {
    const found = await options.findAccess(nodeId);
    if (!found) throw new Error('the deployment says no account of cloud_a');
    return found;
  }

  async function look(nodeId: NodeId, place: RoleOfNode, signal: AbortSignal) {
    const { deployment, tenant_id: tenantId } = place;
    const owner: NodeOwner = { nodeId, deployment, tenantId, supervisor };
    const ec2 = await session(place.access, signal);
    return { owner, ec2, seen: await lookAtNode(ec2, owner, signal) };
  }

  function wantedOf(node: NodeToObserve, { shape, rules }: WantedNode): WantedInstance {
    const type = options.instanceTypes[shape.tier];
    if (type === undefined) throw new Error(`there is no type of instance for the tier ${shape.tier}`);
    return {
      ...{ type, storage: Math.max(1, Math.ceil((sizeOf(shape).storage * 1e9) / 2 ** 30)) },
      entries: wantedEntries(rules, now()),
      ...{ enrolled: node.enrolled, revoked: node.revoked, deployed: node.deployed },
      tokenMark: node.tokenMark,
    };
  }

  async function enrolment(node: NodeToEnsure, volumeId: string) {
    // the agent that had enrolled is gone with its instance
    const token = await node.issueToken({ anew: node.enrolled });
    if (token === undefined) return undefined;
    const command = await options.enrolmentCommand(node.id, token);
    return { mark: tokenMark(token), userData: userData(volumeId, command) };
  }

  return {
    phases: ['waiting_for_nodes', 'deploying_nodes'],
    options: { byoc: ['private_address', 'dedicated'] },

    async ensureNode(node, call) {
      const place = await placeOf(node.id);
      // the token is renewed by the change that needs one, so what follows is left to the next call
      for (let made = 0; made < mostChanges; made++) {
        const { owner, ec2, seen } = await look(node.id, place, call.signal);
        const wanted = wantedOf(node, await node.wanted());
        const change = nextChange(seen, wanted);
        if (change.do === 'wait' || change.do === 'nothing') return;
        await makeChange(
          {
            ...{
              ec2,
              owner,
              image,
              wanted,
              call,
              now: now(),
              vpcId: place.access.vpc_id,
              isPublic: place.is_public,
              isDedicated: node.options.includes('dedicated'),
            },
            enrolment: (volumeId) => enrolment(node, volumeId),
          },
          change,
        );
        if (change.do === 'run_instance' || change.do === 'terminate') return;
      }
    },

    async removeNode(nodeId, call) {
      const place = (await options.findAccess(nodeId)) ?? foreign.get(nodeId);
      if (!place) return;
      const { ec2, seen } = await look(nodeId, place, call.signal);
      await removeObserved(ec2, seen, call);
    },

    async observe(node, call): Promise<ObservedMachine> {
      const place = await placeOf(node.id);
      const { seen } = await look(node.id, place, call.signal);
      if (isNothing(seen)) return { presence: 'none' };
      const wanted = await node.wanted();
      const dataGone = node.deployed && volumeOf(seen) === undefined;
      const change = dataGone ? undefined : nextChange(seen, wantedOf(node, wanted));
      return { ...machineOf(node, seen, change), placement: placementOf(instanceOf(seen)), dataGone };
    },

    list: () => listFound(),
  };

  async function listFound(): Promise<FoundNode[]> {
    const signal = AbortSignal.timeout(25_000);
    const found: FoundNode[] = [];
    for (const place of await options.listAccesses()) {
      // one account that cannot be looked into says nothing of the others
      const nodes = await session(place.access, signal)
        .then((ec2) => listNodes(ec2, { tenantId: place.tenant_id, supervisor }, signal))
        .catch(() => []);
      for (const { nodeId, deployment } of nodes) {
        foreign.set(nodeId, { ...place, deployment });
        found.push({ id: nodeId, deploymentUid: deployment });
      }
    }
    return found;
  }
}

const isNothing = ({ instances, volumes, group }: ObservedState) =>
  instances.length === 0 && volumes.length === 0 && group === undefined;

function machineOf(node: NodeToObserve, seen: ObservedState, change: Change | undefined): ObservedMachine {
  const instance = instanceOf(seen);
  const isPublic = !node.options.includes('private_address');
  const host = (isPublic ? instance?.PublicIpAddress : undefined) ?? instance?.PrivateIpAddress;
  const address = host === undefined ? null : { host, ports: gatewayPorts };
  const isRunning = instance?.State?.Name === 'running' && node.enrolled;
  if (!change || change.do === 'nothing') {
    if (isRunning) return { presence: 'running', address, lookAgainSeconds: looks.settled };
    const waitsFor = 'its instance starts, and its agent has not enrolled';
    return { presence: 'stopped', address, waitsFor, lookAgainSeconds: looks.settled };
  }
  if (change.do === 'wait')
    return { presence: 'stopped', address, waitsFor: change.for, lookAgainSeconds: looks.underWay };
  return { presence: isRunning ? 'running' : 'stopped', drifted: true, address };
}

/** A customer may have given an instance a public address by hand. */
function placementOf(instance: Instance | undefined): NodePlacement {
  return {
    machine: instance?.InstanceId,
    zone: instance?.Placement?.AvailabilityZone,
    isPrivate: instance !== undefined && instance.PublicIpAddress === undefined,
    isDedicated: ['dedicated', 'host'].includes(instance?.Placement?.Tenancy ?? ''),
  };
}
