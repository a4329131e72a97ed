import type { RegionOption } from '@sluice/contracts';
import type { Condition } from '../features/deployments/conditions.store.ts';
import type { ObservedNode } from './phases/phase.ts';

type PlacedNode = Pick<ObservedNode, 'name' | 'address' | 'placement'>;
type Judgement = Omit<Condition, 'type'>;

/** Whether each option that is about a place holds for the nodes as they are now. */
export function placementConditions(
  options: readonly RegionOption[],
  nodes: readonly PlacedNode[],
): Condition[] {
  if (nodes.length === 0) return [];
  return options.flatMap((option) => {
    const judged = judges[option];
    return judged ? [{ type: judged.type, ...judged.judge(nodes) }] : [];
  });
}

const judges: Partial<
  Record<RegionOption, { type: string; judge: (nodes: readonly PlacedNode[]) => Judgement }>
> = {
  private_address: { type: 'AddressPrivate', judge: addressPrivate },
  multi_az: { type: 'Spread', judge: spread },
  dedicated: { type: 'Dedicated', judge: dedicated },
};

function addressPrivate(nodes: readonly PlacedNode[]): Judgement {
  const message = nodes.map(({ name, address }) => `${name} at ${address?.host ?? 'no address'}`).join(', ');
  if (nodes.some(({ placement }) => placement === undefined)) return no('PlacementUnknown', message);
  if (nodes.some(({ placement }) => !placement?.isPrivate)) return no('AddressPublic', message);
  if (nodes.some(({ address }) => !address)) return no('AddressUnknown', message);
  return yes('AddressPrivate', message);
}

function spread(nodes: readonly PlacedNode[]): Judgement {
  const unplaced = notPlaced(nodes);
  if (unplaced) return unplaced;
  const zones = nodes.map(({ placement }) => placement?.zone);
  if (zones.includes(undefined)) return no('ZoneUnknown', machinesOf(nodes));
  if (new Set(zones).size < 2) return no('OneZone', machinesOf(nodes));
  return yes('InSeveralZones', machinesOf(nodes));
}

function dedicated(nodes: readonly PlacedNode[]): Judgement {
  const unplaced = notPlaced(nodes);
  if (unplaced) return unplaced;
  if (nodes.some(({ placement }) => !placement?.isDedicated)) return no('MachineShared', machinesOf(nodes));
  return yes('MachinesDedicated', machinesOf(nodes));
}

function notPlaced(nodes: readonly PlacedNode[]): Judgement | undefined {
  if (nodes.some(({ placement }) => placement === undefined)) return no('PlacementUnknown', '');
  if (nodes.some(({ placement }) => placement?.machine === undefined))
    return no('NotPlaced', machinesOf(nodes));
  return undefined;
}

function machinesOf(nodes: readonly PlacedNode[]): string {
  return nodes
    .map(({ name, placement: { machine, zone } = {} }) =>
      machine === undefined
        ? `${name} on no machine`
        : `${name} on ${machine}${zone === undefined ? '' : ` in ${zone}`}`,
    )
    .join(', ');
}

const yes = (reason: string, message: string): Judgement => ({ status: 'True', reason, message });
const no = (reason: string, message: string): Judgement => ({ status: 'False', reason, message });
