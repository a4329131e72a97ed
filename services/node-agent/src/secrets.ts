import type { DesiredState } from '@sluice/contracts';

/** what plugins call their secrets; their schemas are not loaded here */
const secretKey = /password|secret|token|private|credential/i;

/** What must not be read in a text of the node, where a program has written it all the same. */
export function secretsOf({ broker, connectors }: DesiredState): string[] {
  const { credentials, former_credentials = [], cluster } = broker;
  const logins = [credentials, ...former_credentials, ...(cluster ? [cluster.credentials] : [])];
  const values = connectors?.instances.flatMap(({ config }) => Object.entries(config?.values ?? {})) ?? [];
  const ofConnectors = values.flatMap(([key, value]) =>
    // one header a line, each a secret by itself
    secretKey.test(key) && typeof value === 'string' ? [value, ...value.split(/\n|: /)] : [],
  );
  return [...logins.map(({ password }) => password), ...ofConnectors].filter(({ length }) => length >= 6);
}
