import type { ActivatedConnector, Connector, ConnectorInstance } from '@sluice/client';

export type Instance = ConnectorInstance | ActivatedConnector;

/**
 * What was activated on a deployment: the instances as their region has them, and those that only the Main API knows, which are on their
 * way or were refused.
 */
export function instancesOf(
  inRegion: readonly ConnectorInstance[] | undefined,
  catalogue: readonly Connector[] | undefined,
): Instance[] | undefined {
  if (inRegion === undefined && catalogue === undefined) return undefined;
  const known = new Set(inRegion?.map(({ id }) => id));
  const others = (catalogue ?? [])
    .flatMap(({ instances }) => instances)
    .filter(({ id, status }) => !known.has(id) && (inRegion === undefined || status !== 'active'));
  return [...(inRegion ?? []), ...others].toSorted(
    (one, other) => Date.parse(one.created_at) - Date.parse(other.created_at),
  );
}

/** Why a connector cannot be activated; undefined where it can. */
export function refusalOf(
  { available, permitted }: Pick<Connector, 'available' | 'permitted'>,
  mayActivate: boolean,
): string | undefined {
  if (!available) return 'The connectors runtime of this deployment does not have it.';
  if (!permitted && mayActivate) return 'The plan does not have it.';
  return undefined;
}
