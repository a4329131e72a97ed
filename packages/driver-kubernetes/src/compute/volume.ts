import type { V1PersistentVolumeClaim } from '@kubernetes/client-node';
import type { ApiObject, Read, Wanted } from './api-object.ts';
import { bytesOf } from './quantities.ts';

export function specOf(claim: ApiObject): { storageClassName: string | undefined; storage: string } {
  const { storageClassName, resources } = (claim as Read<V1PersistentVolumeClaim>).spec ?? {};
  return { storageClassName, storage: resources?.requests?.['storage'] ?? '0' };
}

/**
 * The claim of a volume, as it may be changed: what it was made of stays, and it never becomes smaller. What a person has given it in
 * a unit of their own stays as well, as long as it is enough.
 */
export function keptVolume(wanted: Wanted, live: ApiObject | undefined): Wanted {
  if (!live) return wanted;
  const claim = specOf(wanted);
  const { storageClassName, storage } = specOf(live);
  const grows = bytesOf(claim.storage) > bytesOf(storage);
  return {
    ...wanted,
    spec: {
      ...wanted.spec,
      ...(claim.storageClassName !== undefined && { storageClassName }),
      ...(!grows && { resources: { requests: { storage } } }),
    },
  };
}
