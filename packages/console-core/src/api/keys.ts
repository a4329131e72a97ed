/** Where something is read: the Main API, the Audit API, or the Supervisor API of a region, `cloud_a/us-east-1`. */
export type Layer = 'main' | 'audit' | `${string}/${string}`;

/** The key of a query. The change feeds find queries by its first three parts. */
export type ResourceKey = readonly [
  layer: Layer,
  tenantId: number | null,
  kind: string,
  ...rest: readonly unknown[],
];

/**
 * The key of what is read.
 * @param kind the kind of the change feed where there is one, so that changes reach the query
 */
export const keyOf = (
  layer: Layer,
  tenantId: number | null,
  kind: string,
  ...rest: readonly unknown[]
): ResourceKey => [layer, tenantId, kind, ...rest];

export const regionLayer = ({ cloud, region }: { cloud: string; region: string }): Layer =>
  `${cloud}/${region}`;
