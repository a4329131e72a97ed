import { randomUUID } from 'node:crypto';
import { idOf, type DeploymentId, type NodeId, type TenantId } from '@sluice/contracts';
import { tokenMark, type NodeToEnsure } from '@sluice/drivers';

let lastId = 5_000;

export function aNode(more: Partial<NodeToEnsure> = {}): NodeToEnsure {
  const id = idOf<NodeId>((lastId += 1));
  const shape = { tier: 'small', storage: { type: 'network_balanced', size: 1 }, resources: {} } as const;
  let token: string | undefined;
  const node: NodeToEnsure = {
    ...{ id, deploymentId: idOf<DeploymentId>(Number(id)), deploymentUid: randomUUID() },
    ...{ tenantId: idOf<TenantId>(7), siblings: [id], options: [], byocDriver: null },
    ...{ deployed: false, enrolled: false, tokenMark: null, revoked: false },
    wanted: () => Promise.resolve({ shape, shapes: [shape], rules: [], isCluster: false, mayRestart: true }),
    issueToken({ anew }) {
      if (node.enrolled && !anew) return Promise.resolve(undefined);
      node.enrolled = false;
      token = randomUUID();
      node.tokenMark = tokenMark(token);
      return Promise.resolve(token);
    },
    hasToken: (given) => given === token,
    ...more,
  };
  return node;
}
