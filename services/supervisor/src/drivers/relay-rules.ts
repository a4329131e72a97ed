import type { ComputeDriver, NetworkRule, NodeToObserve } from '@sluice/drivers';

/**
 * The same driver, which lets in the region's own connections to WebSockets of brokers besides: what it makes before a gateway, such as a
 * network policy, would refuse otherwise what the gateway admits.
 * @param sources blocks from which gateways see the region, `BROKER_RELAY_SOURCES`
 */
export function admittingRelay(compute: ComputeDriver, sources: readonly string[]): ComputeDriver {
  if (sources.length === 0) return compute;
  const relay: NetworkRule = { protocols: ['broker_websocket'], cidr_blocks: sources, valid_to: null };
  const admitting = <Node extends NodeToObserve>(node: Node): Node => ({
    ...node,
    async wanted() {
      const wanted = await node.wanted();
      return { ...wanted, rules: [...wanted.rules, relay] };
    },
  });
  return {
    ...compute,
    ensureNode: async (node, call) => await compute.ensureNode(admitting(node), call),
    observe: async (node, call) => await compute.observe(admitting(node), call),
  };
}
