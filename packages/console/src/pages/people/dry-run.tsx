import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { simulateRoles, type RoleSimulationInput } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { read } from '@sluice/console-core/api/query-client.ts';
import { useSettled } from '@sluice/ui/lib/settled.ts';
import { ErrorNote, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { PermissionChanges } from './permission-changes.tsx';
import styles from './people.module.css';

/** What would be different with other roles, as the API answers it. It follows what is chosen, and changes nothing. */
export function DryRun({
  tenantId,
  input,
  title,
}: {
  tenantId: number;
  input: RoleSimulationInput;
  title: string;
}) {
  const settled = useSettled(input, 250);
  const { data, error } = useQuery({
    ...read(keyOf('main', tenantId, 'role', 'simulation', settled), (signal) =>
      simulateRoles({ client, path: { tenant_id: tenantId }, body: settled, signal }),
    ),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return (
    <section className={styles.changes} aria-live="polite" aria-label={title}>
      <h3>{title}</h3>
      {error ? (
        <ErrorNote error={error} />
      ) : data ? (
        <PermissionChanges simulation={data} />
      ) : (
        <SkeletonLines count={2} />
      )}
    </section>
  );
}
