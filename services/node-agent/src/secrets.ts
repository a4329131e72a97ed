import type { DesiredState } from '@sluice/contracts';

/** what plugins call their secrets; their schemas are not loaded here */
const secretKey = /password|secret|token|private|credential/i;

/** The secrets of a node, which must not stand in its texts even if a program has written them there. */
export function secretsOf({ broker, connectors }: DesiredState): string[] {
  const { credentials, former_credentials, cluster } = broker;
  const logins = [credentials, ...former_credentials, ...(cluster ? [cluster.credentials] : [])];
  const ofConnectors = connectors?.instances.flatMap(({ config }) => secretsIn(config?.values)) ?? [];
  return [...logins.map(({ password }) => password), ...ofConnectors].filter(({ length }) => length >= 6);
}

/** The secrets of a connector's values: those of its plugin stand in a block of their own. */
function secretsIn(value: unknown, key = ''): string[] {
  // one header a line, each a secret by itself
  if (typeof value === 'string') return secretKey.test(key) ? [value, ...value.split(/\n|: /)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => secretsIn(inner, name));
}
