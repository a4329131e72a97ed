import type { Database } from '../database/tables.ts';
import type { Deployment } from '../stores/deployments.store.ts';
import { moveRecords } from '../stores/dns-records.store.ts';
import { recordAddress } from '../stores/nodes.store.ts';
import type { PlacedNode } from './phases/phase.ts';

/** Clients are told where these nodes are reached, and the deployment's domain leads to the first one that has an address. */
export async function placeNodes(
  db: Database,
  { id }: Deployment,
  nodes: readonly PlacedNode[],
): Promise<void> {
  for (const { id: node, address } of nodes) await recordAddress(db, node, address);
  await moveRecords(db, id);
}
