import { randomBytes } from 'node:crypto';
import type { NodeId } from '@sluice/contracts';
import type { SecretBox } from '@sluice/system/secrets';
import { createAuthority, issueCertificate } from '@sluice/system/authority';
import type { BrokerPlace } from '@sluice/drivers';
import type { Database, Tx } from '@sluice/region-store/tables';
import {
  findCluster,
  setTurn,
  storeRoutes,
  storeTrust,
  type Route,
} from '@sluice/region-store/clusters.store';
import {
  nameAndCode,
  raiseRevision,
  subjectsOf,
  type Deployment,
} from '@sluice/region-store/deployments.store';
import { forgetData } from '../features/deployments/node-data.store.ts';
import type { Node } from '@sluice/region-store/nodes.store';

/** What the reconciler does for deployments that are clusters; each is committed with its revision. */

/** what the brokers trust each other by is replaced after two thirds of this */
const trustDays = 366;
const dayMilliseconds = 86_400_000;

export type PrepareCluster = (db: Database, deployment: Deployment, now: Date) => Promise<void>;

/**
 * Makes what the brokers of a cluster trust each other by, or its successor: an authority of the deployment's own, which signs one
 * certificate and is forgotten. They take it up one after the other, so the authority before goes along with it.
 * @param place where the brokers find each other
 */
export function clusterPreparer(secrets: SecretBox, place: BrokerPlace): PrepareCluster {
  return async (db, { id, spec }, now) => {
    const validity = { from: now, days: trustDays };
    const authority = await createAuthority(`Nodes of ${spec.code}`, validity);
    const pair = await issueCertificate(authority, place.namesOf(id), validity, 'peer');
    await storeTrust(db, {
      deployment_id: id,
      username: 'nodes',
      sealed_password: await secrets.seal(randomBytes(24).toString('base64url')),
      certificate: pair.certificate,
      sealed_key: await secrets.seal(pair.private_key),
      authority: authority.certificate,
      not_before: now,
      not_after: new Date(now.getTime() + trustDays * dayMilliseconds),
    });
    await raiseRevision(db, id);
  };
}

/** Agents get to know where the brokers listen for each other. */
export async function publishRoutes(
  db: Database,
  { id }: Deployment,
  routes: readonly Route[],
): Promise<void> {
  await storeRoutes(db, id, routes);
  await raiseRevision(db, id);
}

/** The node may replace its broker from now on, if no other may. */
export async function grantTurn(db: Database, { id }: Deployment, node: NodeId): Promise<void> {
  if ((await findCluster(db, id))?.turn_node_id) return;
  await setTurn(db, id, node);
  await raiseRevision(db, id);
}

/** Has all nodes say how they are, now that the one whose turn it is is back: what they have said before may be older than that. */
export async function askNodes(db: Database, { id }: Deployment, node: NodeId): Promise<void> {
  await setTurn(db, id, node, await raiseRevision(db, id));
}

export async function endTurn(db: Database, { id }: Deployment): Promise<void> {
  await setTurn(db, id, null);
  await raiseRevision(db, id);
}

/** Lets nodes whose data is gone start empty, since the others have all of it. */
export async function rebuildNodes(tx: Tx, deployment: Deployment, lost: readonly Node[]): Promise<void> {
  await forgetData(
    tx.db,
    lost.map(({ id }) => id),
  );
  tx.emit('deployment_nodes_rebuilt', subjectsOf(deployment), {
    ...nameAndCode(deployment),
    nodes: lost.map((node) => ({ id: node.id, name: node.name })),
  });
}
