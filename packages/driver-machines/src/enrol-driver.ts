import type { Machine } from '@sluice/contracts';
import { isPrivateAddress } from '@sluice/system';
import type {
  ComputeDriver,
  EnrolledMachine,
  NodeAddress,
  NodePlacement,
  ObservedMachine,
  StoredNodes,
} from '@sluice/drivers';

const command =
  'get the command of its enrolment (POST …/nodes/{node_id}/enrolment) and run it on its machine';

/**
 * Nodes that are machines of the customer. The region cannot reach them: they enrol by a command that a person runs, and their agents only call
 * out. So what there is of a node is what its agent has said, and bringing it up is to wait.
 */
export function createEnrolDriver({
  findMachine,
  dismiss,
}: Pick<StoredNodes, 'findMachine' | 'dismiss'>): ComputeDriver {
  return {
    phases: ['waiting_for_nodes', 'deploying_nodes'],
    // a customer's machine has no other tenant's brokers, and its agent listens at a private address alone where the command says so
    options: { byoc: ['private_address', 'dedicated'] },

    ensureNode: () => Promise.resolve(),

    removeNode: (nodeId) => dismiss(nodeId),

    async observe({ id, options }) {
      const node = await findMachine(id);
      if (!node) return { presence: 'none' };
      const isPublic = options.includes('private_address') ? whyPublic(node.machine) : undefined;
      return { ...machineOf(node, isPublic), placement: placementOf(node) };
    },

    // a machine is nowhere to be found but by what is stored of its node
    list: () => Promise.resolve([]),
  };
}

/** @param isPublic why clients must not get the address of the machine */
function machineOf(node: EnrolledMachine, isPublic: string | undefined): ObservedMachine {
  const { public_key, revoked_at, unreachable_since, last_heartbeat_at, leaving_at } = node;
  if (public_key === null && leaving_at !== null) return { presence: 'none' };
  const dataGone = isDataGone(node);
  if (public_key === null) {
    const why =
      revoked_at === null ? 'it waits for its machine' : "the key of its machine's agent was revoked";
    return { presence: 'stopped', dataGone, waitsFor: `${why}: ${command}` };
  }
  if (isPublic !== undefined && unreachable_since === null)
    return { presence: 'stopped', dataGone, address: null, waitsFor: isPublic };
  const address = isPublic === undefined ? addressOf(node) : null;
  if (unreachable_since === null) return { presence: 'running', dataGone, address };
  const since = last_heartbeat_at?.toISOString() ?? unreachable_since.toISOString();
  const waitsFor = `its machine has not been heard of since ${since}; if it is lost, ${command}`;
  return { presence: 'stopped', dataGone, address, waitsFor };
}

const placementOf = ({ machine }: EnrolledMachine): NodePlacement => ({
  machine: machine?.hostname,
  isPrivate: machine !== null && whyPublic(machine) === undefined,
  isDedicated: true,
});

/** Why a machine may be reached by others than those of its own network, as its agent has said it; undefined where it may not. */
function whyPublic(machine: Machine | null): string | undefined {
  if (machine === null) return 'its agent has not said where its machine is';
  const { address, listens_on } = machine;
  if (!isPrivateAddress(address))
    return `its machine is at ${address}, which is no private IP address: give it one, and ${command}`;
  if (listens_on === undefined || !isPrivateAddress(listens_on))
    return `its agent listens on ${listens_on ?? 'an address that it does not say'}, not on a private one alone: ${command}`;
  return undefined;
}

/** A machine without the data wanted to be the node, and the one that may have it has not been heard of since. */
function isDataGone({ data_gone_at, last_heartbeat_at }: EnrolledMachine): boolean {
  return data_gone_at !== null && (last_heartbeat_at === null || last_heartbeat_at <= data_gone_at);
}

/** Where the machine says that clients reach it, at the ports at which its gateway listens. */
function addressOf({ machine, ports }: EnrolledMachine): NodeAddress | null {
  if (machine === null || ports === null) return null;
  const open = Object.entries(ports).filter((entry): entry is [string, number] => entry[1] !== null);
  return { host: machine.address, ports: Object.fromEntries(open) };
}
