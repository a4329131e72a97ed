import { z } from 'zod';
import type { ApiObject } from '../compute/api-object.ts';
import { labels } from '../compute/labels.ts';

const claimSchema = z.object({
  spec: z.object({
    storageClassName: z.string().optional(),
    resources: z.object({ requests: z.object({ storage: z.string() }) }),
  }),
  status: z.object({ phase: z.string().optional() }).optional(),
});

export function specOf(claim: ApiObject): { storageClassName: string | undefined; storage: string } {
  const { storageClassName, resources } = claimSchema.parse(claim).spec;
  return { storageClassName, storage: resources.requests.storage };
}

/** `Pending` until there is a volume, then `Bound`; `Lost` once that is gone. */
export const phaseOf = (claim: ApiObject) => claimSchema.parse(claim).status?.phase ?? 'Pending';

const inherited = [
  'app.kubernetes.io/managed-by',
  ...[labels.owner, labels.tenant, labels.deployment, labels.deploymentUid, labels.node],
];

export const ownLabels = ({ metadata }: ApiObject): Record<string, string> =>
  Object.fromEntries(
    inherited.flatMap((name) => {
      const value = metadata.labels?.[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
