import type { DeploymentShape, DeploymentId } from '@sluice/contracts';
import type { Database } from '../database/tables.ts';

/** The statuses that a deployment goes through while its network is made; each is a step of the reconciler. */
export type NetworkStep = 'creating_subnet' | 'securing_network' | 'configuring_dns';

/**
 * Makes the network of deployments. What it decides is stored through `tx`, together with the reconciler's own state.
 * Every call may be repeated. Deleting a deployment's row takes along what is stored with it.
 */
export interface NetworkDriver {
  readonly steps: readonly NetworkStep[];
  /** Takes a subnet for the deployment that no other of the region has. @throws Error when none is left */
  createSubnet(tx: Database, deploymentId: DeploymentId): Promise<void>;
  /** Has the deployment's domain lead to it; nothing when it has none. */
  configureDns(tx: Database, deployment: DeploymentShape): Promise<void>;
}

/** `<name>-<code>.<base domain>`, or null for a deployment without a subdomain. */
export function domainOf(
  { name, code, subdomain_enabled }: DeploymentShape,
  baseDomain: string,
): string | null {
  return subdomain_enabled ? `${name}-${code}.${baseDomain}` : null;
}
