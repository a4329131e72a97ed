import { z } from 'zod';
import type { ApiObject, Wanted } from './api-object.ts';
import { bytesOf } from './quantities.ts';

const claimSchema = z.object({
  spec: z.object({
    storageClassName: z.string().optional(),
    resources: z.object({ requests: z.object({ storage: z.string() }) }),
  }),
});

/**
 * The claim of a volume, as it may be changed: what it was made of stays, and it never becomes smaller. What a person has given it in
 * a unit of their own stays as well, as long as it is enough.
 */
export function keptVolume(wanted: Wanted, live: ApiObject | undefined): Wanted {
  if (!live) return wanted;
  const claim = claimSchema.parse(wanted).spec;
  const { storageClassName, resources } = claimSchema.parse(live).spec;
  const grows = bytesOf(claim.resources.requests.storage) > bytesOf(resources.requests.storage);
  return {
    ...wanted,
    spec: {
      ...wanted.spec,
      ...(claim.storageClassName !== undefined && { storageClassName }),
      ...(!grows && { resources }),
    },
  };
}
