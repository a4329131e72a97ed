import { randomUUID } from 'node:crypto';
import type { NodeId } from '@sluice/contracts';
import type { NetworkRule } from '@sluice/drivers';

export interface Machine {
  id: string;
  node: NodeId;
  deployment: string;
  token: string | undefined;
  volume: Volume;
  /** that it was made with */
  rules: readonly NetworkRule[];
}
export interface Volume {
  id: string;
  content: string;
}
export interface Copy {
  content: string;
  sealed: boolean;
}
/** What lies beside the volume of a node for a restore, and its own while another is in its place. */
export interface Beside {
  staged: Volume | undefined;
  former: Volume | undefined;
}

export class ThirdCloud {
  readonly machines = new Map<NodeId, Machine>();
  readonly copies = new Map<string, Copy>();
  /** by run and node */
  readonly beside = new Map<string, Beside>();
  readonly links = new Set<string>();
  changes = 0;

  machineOf(node: NodeId): Machine {
    const machine = this.machines.get(node);
    if (!machine) throw new Error(`node ${node} is gone`);
    return machine;
  }

  create(machine: Omit<Machine, 'id' | 'volume'>): void {
    this.changes += 1;
    const volume = { id: randomUUID(), content: randomUUID() };
    this.machines.set(machine.node, { ...machine, id: randomUUID(), volume });
  }
}
