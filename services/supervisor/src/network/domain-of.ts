import type { DeploymentSpec } from '@sluice/contracts';

/** `<name>-<code>.<base domain>`, or null for a deployment without a subdomain. */
export function domainOf(
  { name, code, subdomain_enabled }: DeploymentSpec,
  baseDomain: string,
): string | null {
  return subdomain_enabled ? `${name}-${code}.${baseDomain}` : null;
}
