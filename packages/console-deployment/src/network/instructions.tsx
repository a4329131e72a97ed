import { useQuery } from '@tanstack/react-query';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import type { Call, LinkKind, NetworkLink } from '@sluice/console-core/clouds/cloud.ts';
import { CodeBlock } from '@sluice/ui/code.tsx';
import { ErrorNote, SkeletonLines } from '@sluice/ui/feedback.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import styles from './network.module.css';

const settled = new Set(['active', 'available', 'deleting', 'deleted', 'closed']);

/** What there is to do on the person's side, in the state that the link is in. */
export function Instructions({ kind, link, call }: { kind: LinkKind; link: NetworkLink; call: Call }) {
  const { layer, path } = useDeployment();
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(layer, path.tenant_id, 'network_link', link.id, 'instructions', link.status),
    queryFn: ({ signal }) => kind.instructions!(call, link.id, signal),
    enabled: kind.instructions !== undefined,
  });
  if (!kind.instructions) return null;
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonLines count={2} />;
  if (data.steps.length === 0) return <p className={layout.muted}>{data.title}</p>;
  return (
    <details open={!settled.has(link.status)} className={styles.steps}>
      <summary>{data.title}</summary>
      <ol>
        {data.steps.map(({ title, text, command }) => (
          <li key={title}>
            <strong>{title}</strong>
            <p>{text}</p>
            {command !== undefined && <CodeBlock code={command} label={title} />}
          </li>
        ))}
      </ol>
    </details>
  );
}
