import { z } from 'zod';
import type { ApiObject, Wanted } from './api-object.ts';

const claimSchema = z.object({
  spec: z.object({
    storageClassName: z.string().optional(),
    resources: z.object({ requests: z.object({ storage: z.string() }) }),
  }),
});

const units: Record<string, number> = { G: 1, T: 1_000, P: 1_000_000 };

/** Gigabytes of a quantity as the driver writes it; NaN for others. */
function gigabytes(quantity: string): number {
  const [, number, unit = ''] = /^(\d+)([GTP])$/.exec(quantity) ?? [];
  return Number(number) * (units[unit] ?? NaN);
}

/**
 * The claim of a volume, as it may be changed: what it was made of stays, and it never becomes smaller. What somebody has given it in
 * a unit of their own stays as well.
 */
export function keptVolume(wanted: Wanted, live: ApiObject | undefined): Wanted {
  if (!live) return wanted;
  const claim = claimSchema.parse(wanted).spec;
  const { storageClassName, resources } = claimSchema.parse(live).spec;
  const { storage } = resources.requests;
  const grows = gigabytes(claim.resources.requests.storage) > gigabytes(storage);
  return {
    ...wanted,
    spec: {
      ...wanted.spec,
      ...(claim.storageClassName !== undefined && { storageClassName }),
      ...(!grows && { resources }),
    },
  };
}
