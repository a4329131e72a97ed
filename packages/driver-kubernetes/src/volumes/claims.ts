import type { V1PersistentVolumeClaim } from '@kubernetes/client-node';
import type { ApiObject, Read } from '../compute/api-object.ts';
import { labels } from '../compute/labels.ts';

type Claim = Read<V1PersistentVolumeClaim>;

/** `Pending` until there is a volume, then `Bound`; `Lost` once that is gone. */
export const phaseOf = (claim: ApiObject) => (claim as Claim).status?.phase ?? 'Pending';

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
