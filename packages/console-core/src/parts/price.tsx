import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { previewDeployment, type PreviewInput } from '@sluice/client';
import { sluice as client } from '../api/client.ts';
import { keyOf } from '../api/keys.ts';
import { shownProblem } from '@sluice/ui/lib/problems.ts';
import { read } from '../api/query-client.ts';
import { useSettled } from '@sluice/ui/lib/settled.ts';
import { Money } from '@sluice/ui/data.tsx';
import { Skeleton } from '@sluice/ui/feedback.tsx';
import layout from '@sluice/ui/layout.module.css';
import styles from './price.module.css';

interface EnvironmentPath {
  tenant_id: number;
  division_id: number;
  environment_id: number;
}

const parts = [
  ['compute_usd', 'Compute'],
  ['storage_usd', 'Storage'],
  ['network_usd', 'Network'],
  ['telemetry_usd', 'Telemetry'],
  ['data_retention_usd', 'Retention'],
] as const;

/** What a deployment would cost in a month, with its parts. It follows what is chosen. */
export function Price({ path, input }: { path: EnvironmentPath; input: PreviewInput }) {
  const settled = useSettled(input, 250);
  const { data, error } = useQuery({
    ...read(keyOf('main', path.tenant_id, 'price', path.environment_id, settled), (signal) =>
      previewDeployment({ client, path, body: settled, signal }),
    ),
    placeholderData: keepPreviousData,
    refetchInterval: false,
  });
  return (
    <div className={styles.price} aria-live="polite">
      <div className={styles.total}>
        <span>A month</span>
        {error ? (
          <span className={layout.muted}>{shownProblem(error).detail}</span>
        ) : data ? (
          <span className={styles.amount}>
            <Money amount={data.monthly_total_usd} />
          </span>
        ) : (
          <Skeleton width="5rem" />
        )}
      </div>
      {data && !error && (
        <dl className={styles.parts}>
          {parts.map(([key, name]) => (
            <div key={key}>
              <dt>{name}</dt>
              <dd>
                <Money amount={data.breakdown[key]} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
