import { useQuery } from '@tanstack/react-query';
import type { Snapshot } from '@sluice/client';
import { shownCheck } from '@sluice/console-core/lib/status.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { Card, Time } from '@sluice/ui/data.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Status } from '@sluice/ui/status.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { differencesOf, type Check } from './findings.ts';
import { findingsQuery } from './queries.ts';
import styles from './diagnostics.module.css';

interface ComparisonProps {
  snapshots: readonly [Snapshot, Snapshot];
  nodeName: (id: number) => string;
  onClose: () => void;
}

/** What two reports have found differently, the earlier one first. */
export function Comparison({ snapshots, nodeName, onClose }: ComparisonProps) {
  const open = useDeployment();
  const [earlier, later] = snapshots.toSorted(
    (one, other) => Date.parse(one.created_at) - Date.parse(other.created_at),
  ) as [Snapshot, Snapshot];
  const before = useQuery(findingsQuery(open, earlier.id));
  const after = useQuery(findingsQuery(open, later.id));
  const error = before.error ?? after.error;
  const differences = before.data && after.data && differencesOf(before.data, after.data);
  return (
    <Card
      title="What differs"
      flush
      actions={
        <span className={layout.inlineRow}>
          <Button size="small" onPress={onClose}>
            Back to the report
          </Button>
          <AsCode
            command={['snapshots', 'compare', String(earlier.id), String(later.id), open.words]}
            request={{
              method: 'GET',
              path: `/deployments/${open.path.deployment_id}/snapshots/${later.id}/download`,
              layer: 'supervisor',
            }}
          />
        </span>
      }
    >
      <p className={styles.failure}>
        {nodeName(earlier.node_id)}, <Time at={earlier.created_at} />, and {nodeName(later.node_id)},{' '}
        <Time at={later.created_at} />
      </p>
      {!differences ? (
        error ? (
          <ErrorState error={error} onRetry={() => void Promise.all([before.refetch(), after.refetch()])} />
        ) : (
          <SkeletonLines count={6} />
        )
      ) : differences.length === 0 ? (
        <EmptyState title="There is no difference">Both reports found the same in all checks.</EmptyState>
      ) : (
        <ul className={styles.differences}>
          {differences.map(({ title, before: one, after: other }) => (
            <li key={title}>
              <strong>{title}</strong>
              <Side check={one} />
              <Side check={other} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Side({ check }: { check: Pick<Check, 'status' | 'finding'> | undefined }) {
  if (!check) return <p className={layout.muted}>not checked</p>;
  const { kind, word } = shownCheck(check.status);
  return (
    <div>
      <Status kind={kind}>{word}</Status>
      <p>{check.finding}</p>
    </div>
  );
}
