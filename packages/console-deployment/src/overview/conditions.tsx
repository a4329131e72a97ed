import type { Condition } from '@sluice/client';
import { conditionKind, conditionName } from '@sluice/console-core/lib/conditions.ts';
import { Time } from '@sluice/ui/data.tsx';
import { Status } from '@sluice/ui/status.tsx';
import styles from './overview.module.css';

/** What the deployment has reached and what it has not. What is not as it should be comes first. */
export function Conditions({ conditions }: { conditions: readonly Condition[] }) {
  if (conditions.length === 0) return <p className={styles.calm}>Nothing can be said yet.</p>;
  const rank = (condition: Condition) => (conditionKind(condition) === 'ok' ? 1 : 0);
  return (
    <ul className={styles.conditions}>
      {conditions
        .toSorted((one, other) => rank(one) - rank(other))
        .map((condition) => (
          <li key={condition.type}>
            <Status kind={conditionKind(condition)}>{conditionName(condition.type)}</Status>
            <span className={styles.when}>
              {condition.status !== 'True' && `${conditionName(condition.reason)}, `}
              <Time at={condition.changed_at} />
            </span>
            {condition.message && <p className={styles.reason}>{condition.message}</p>}
          </li>
        ))}
    </ul>
  );
}
