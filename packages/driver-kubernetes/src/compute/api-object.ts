export interface ApiObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMetadata;
  spec?: object;
  status?: object;
  [field: string]: unknown;
}

/** An object as the API server has checked it, by the types of the client. */
export type Read<Type extends { spec?: unknown; status?: unknown }> = ApiObject &
  Pick<Type, 'spec' | 'status'>;

export interface ObjectMetadata {
  name: string;
  namespace?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  uid?: string;
  resourceVersion?: string;
  /** grows with each change of what is wanted of it */
  generation?: number;
  creationTimestamp?: string;
  /** when it is to be gone; what holds it until then are its finalizers */
  deletionTimestamp?: string;
}

export const kinds = {
  Namespace: { apiVersion: 'v1', plural: 'namespaces' },
  Node: { apiVersion: 'v1', plural: 'nodes' },
  Pod: { apiVersion: 'v1', plural: 'pods' },
  PersistentVolumeClaim: { apiVersion: 'v1', plural: 'persistentvolumeclaims' },
  Secret: { apiVersion: 'v1', plural: 'secrets' },
  Service: { apiVersion: 'v1', plural: 'services' },
  ResourceQuota: { apiVersion: 'v1', plural: 'resourcequotas' },
  LimitRange: { apiVersion: 'v1', plural: 'limitranges' },
  StatefulSet: { apiVersion: 'apps/v1', plural: 'statefulsets' },
  NetworkPolicy: { apiVersion: 'networking.k8s.io/v1', plural: 'networkpolicies' },
  PodDisruptionBudget: { apiVersion: 'policy/v1', plural: 'poddisruptionbudgets' },
  RoleBinding: { apiVersion: 'rbac.authorization.k8s.io/v1', plural: 'rolebindings' },
  VolumeSnapshot: { apiVersion: 'snapshot.storage.k8s.io/v1', plural: 'volumesnapshots' },
  VolumeSnapshotClass: { apiVersion: 'snapshot.storage.k8s.io/v1', plural: 'volumesnapshotclasses' },
} as const;
export type Kind = keyof typeof kinds;

export type Wanted = ApiObject & { kind: Kind };

export interface ObjectKey {
  kind: Kind;
  name: string;
  /** absent for namespaces themselves, and for what belongs to the cluster */
  namespace?: string;
}

export function keyOf({ kind, metadata: { name, namespace } }: Wanted): ObjectKey {
  return { kind, name, ...(namespace !== undefined && { namespace }) };
}

/** As a person would look for it: StatefulSet sluice-d1/node-1. */
export const describeKey = ({ kind, name, namespace }: ObjectKey) =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;

export function collectionPath(kind: Kind, namespace?: string): string {
  const { apiVersion, plural } = kinds[kind];
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const place = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${group}${place}/${plural}`;
}

export const objectPath = ({ kind, name, namespace }: ObjectKey) =>
  `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;
