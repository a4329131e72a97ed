import { useQuery } from '@tanstack/react-query';
import { shownDeploymentStatus } from '@sluice/console-core/lib/status.ts';
import { durationText } from '@sluice/ui/lib/time.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Card, Time } from '@sluice/ui/data.tsx';
import { ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { StatusIcon } from '@sluice/ui/status.tsx';
import { useDeployment } from '../deployment-context.ts';
import { historyQuery } from '../queries.ts';
import styles from './overview.module.css';

/** The statuses that the deployment has had, newest first, with how long each took and why it was. */
export function Timeline() {
  const open = useDeployment();
  const { data, error, refetch } = useQuery(historyQuery(open));
  return (
    <Card
      title="History"
      flush
      actions={
        <AsCode
          command={['deployments', 'history', open.words]}
          request={{ method: 'GET', path: `/deployments/${open.path.deployment_id}/history` }}
        />
      }
    >
      {!data &&
        (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={5} />)}
      <ol className={styles.timeline}>
        {data?.items.map(({ id, status, reason, started_at: start, ended_at: end }) => {
          const { kind, word } = shownDeploymentStatus(status);
          return (
            <li key={id} data-current={end === null}>
              <span className={styles.point}>
                <StatusIcon kind={end === null || kind !== 'busy' ? kind : 'ok'} />
              </span>
              <div className={styles.period}>
                <span className={styles.word}>{word}</span>
                <span className={styles.when}>
                  <Time at={start} />
                  {end !== null && `, for ${durationText(Date.parse(end) - Date.parse(start))}`}
                </span>
                {reason && <p className={styles.reason}>{reason}</p>}
              </div>
            </li>
          );
        })}
      </ol>
      {data && data.total_results > data.items.length && (
        <p className={styles.more}>Earlier ones are left out: there are {data.total_results} in all.</p>
      )}
    </Card>
  );
}
