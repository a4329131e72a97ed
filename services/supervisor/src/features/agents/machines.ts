import type { Machine, NodeId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import type { Database } from '@sluice/region-store/tables';
import {
  findProvisioner,
  noteMissingData,
  recordDeparture,
  recordMachine,
} from '@sluice/region-store/enrolments.store';
import { scheduleNow } from '@sluice/region-store/reconciliations.store';
import type { Agent } from './agent-authorizer.ts';

/** What agents on machines of customers say besides. */
export function machinesOf({ database, now }: { database: Database; now: () => Date }) {
  /**
   * An instance in the customer's account enrols by the same command as a machine that they have made a node themselves; where clients reach it its
   * driver says all the same.
   * @throws Problem `state_conflict` where the node is one of the region's own machines, and the region knows itself what it is
   */
  async function requireCustomers(nodeId: NodeId): Promise<void> {
    const maker = await findProvisioner(database, nodeId);
    if (maker === null || maker === undefined)
      throw problem('state_conflict', { detail: 'The node is no machine of the customer.' });
  }

  return {
    requireCustomers,

    /**
     * Refuses a machine that would become a node without the data which that has held: people have to know first.
     * @throws Problem `state_conflict`
     */
    async refuseEmpty(hash: string): Promise<void> {
      const deployment = await noteMissingData(database, hash, now());
      if (deployment === undefined) return;
      await scheduleNow(database, deployment, now());
      throw problem('state_conflict', {
        detail:
          'The node has held data, and none of it is on this machine: bring it, or accept that it is lost.',
      });
    },

    /** Takes in what a machine is; where clients reach it follows from that. @throws Problem `state_conflict` */
    async machine({ nodeId, deploymentId, key }: Agent, machine: Machine): Promise<void> {
      await requireCustomers(nodeId);
      if (await recordMachine(database, nodeId, key, machine))
        await scheduleNow(database, deploymentId, now());
    },

    /** Takes note that nothing of a node is left. @throws Problem `state_conflict` where it was not to leave */
    async departure({ nodeId, key }: Agent): Promise<void> {
      const deployment = await recordDeparture(database, nodeId, key);
      if (deployment === undefined)
        throw problem('state_conflict', { detail: 'The node was not asked to leave.' });
      await scheduleNow(database, deployment, now());
    },
  };
}
