import type { DeploymentShape, DeploymentStatus } from '@sluice/contracts';
import type { Database } from '../database/tables.ts';

/**
 * Makes the network of deployments: says in which phases it has something to do, and does it. What it decides is
 * stored through `tx`, in the transaction in which the phase is done. Every call may be repeated; one that rejects is,
 * until the phase's deadline. Deleting a deployment's row takes along what is stored with it.
 */
export interface NetworkDriver {
  readonly phases: {
    readonly [Status in DeploymentStatus]?: (tx: Database, deployment: DeploymentShape) => Promise<void>;
  };
}

/** `<name>-<code>.<base domain>`, or null for a deployment without a subdomain. */
export function domainOf(
  { name, code, subdomain_enabled }: DeploymentShape,
  baseDomain: string,
): string | null {
  return subdomain_enabled ? `${name}-${code}.${baseDomain}` : null;
}
