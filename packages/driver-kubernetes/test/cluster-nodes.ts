import { randomUUID } from 'node:crypto';
import { wantedOptions, type DeploymentSpec } from '@sluice/contracts';
import type { DriverCall, NetworkRule, NodeToEnsure } from '@sluice/drivers';

/** A node as the reconciler asks for it, whose tokens are kept here. */
export function aNode(shape: DeploymentSpec, more: Partial<NodeToEnsure> & { rules?: NetworkRule[] } = {}) {
  const tokens: string[] = [];
  const { rules = [], ...rest } = more;
  const own = { tier: shape.tier, storage: shape.storage, resources: shape.limits };
  const node: NodeToEnsure = {
    id: shape.nodes[0]!.id,
    deploymentId: shape.id,
    deploymentUid: shape.uid,
    tenantId: shape.tenant_id,
    siblings: shape.nodes.map(({ id }) => id),
    options: wantedOptions(shape),
    ...{ byocDriver: null, tokenMark: null, deployed: false, enrolled: false, revoked: false },
    wanted: () =>
      Promise.resolve({
        ...{ shape: own, shapes: [own], rules },
        isCluster: shape.cluster === 'cluster',
        mayRestart: true,
      }),
    issueToken() {
      tokens.push(randomUUID());
      return Promise.resolve(tokens.at(-1));
    },
    hasToken: (token) => token === tokens.at(-1),
    ...rest,
  };
  return Object.assign(node, { tokens });
}

export const aCall = (more: Partial<DriverCall> = {}): DriverCall => ({
  ...{ fence: 1, signal: AbortSignal.timeout(60_000), confirm: () => Promise.resolve() },
  ...more,
});
