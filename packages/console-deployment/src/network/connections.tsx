import { useQuery } from '@tanstack/react-query';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import type { Call, LinkKind, NetworkLink } from '@sluice/console-core/clouds/cloud.ts';
import { shownLink } from '@sluice/console-core/lib/status.ts';
import { Status } from '@sluice/ui/status.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import styles from './network.module.css';

/** The endpoints that are connected to a private link, or want to be. */
export function Connections({ kind, link, call }: { kind: LinkKind; link: NetworkLink; call: Call }) {
  const { layer, path } = useDeployment();
  const { data } = useQuery({
    queryKey: keyOf(layer, path.tenant_id, 'network_link', link.id, 'connections'),
    queryFn: ({ signal }) => kind.connections!(call, link.id, signal),
    enabled: kind.connections !== undefined,
  });
  if (!data || data.length === 0) return null;
  return (
    <ul className={styles.connections} aria-label="Endpoints">
      {data.map((one) => {
        const { kind: look, word } = shownLink(one.status);
        return (
          <li key={one.id}>
            <Status kind={look}>{word}</Status>
            <span>{one.consumer_project_id}</span>
            <code className={layout.muted}>{one.connection_id}</code>
          </li>
        );
      })}
    </ul>
  );
}
