import type { DeploymentDetail } from '@sluice/client';
import type { Fields } from '../entries.ts';
import { setLabel } from '../document/canonical.ts';

/** A deployment as documents have it. */
export function deploymentFields({
  labels: { [setLabel]: _set, ...labels },
  protected: isProtected,
  nodes_count,
  variant,
  ...detail
}: DeploymentDetail): Fields {
  const { description, cloud, region, cluster, encrypted, dedicated, public_ip_enabled } = detail;
  const { availability_mode, target_network_tput, retention, spend_limit } = detail;
  // what it is becoming
  const [upgrade] = detail.upgrades.filter(({ status }) => status === 'pending' || status === 'in_progress');
  const {
    to_tier: tier,
    to_storage: storage,
    nodes_after: nodes,
  } = upgrade ?? {
    ...{ to_tier: detail.tier, to_storage: detail.storage, nodes_after: nodes_count },
  };
  return {
    // no answer shows how its account is entered
    ...(variant === 'byoc' && { byoc: {} }),
    ...{
      description,
      labels,
      protected: isProtected,
      cloud,
      region,
      tier,
      cluster,
      nodes,
      encrypted,
      dedicated,
    },
    ...{ public_ip_enabled, availability_mode, target_network_tput, storage, retention, spend_limit },
  };
}
