/** The API of a cluster, for other programs than the driver. */
export { connectTo, isAway, isConflict, isForbidden, readKubeconfig } from './compute/connection.ts';
export { createKubernetesApi, type KubernetesApi } from './compute/kubernetes-api.ts';
export type { ApiObject, Wanted } from './compute/api-object.ts';
