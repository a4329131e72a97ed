import { useState } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { Snapshot } from '@sluice/client';
import { shownCheck } from '@sluice/console-core/lib/status.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { Card, Time } from '@sluice/ui/data.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Status } from '@sluice/ui/status.tsx';
import { toastError } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { liveQuery } from '../queries.ts';
import { Comparison } from './comparison.tsx';
import { CreateSnapshot, DeleteSnapshot } from './dialogs.tsx';
import { examinationsOf, type Check } from './findings.ts';
import { findingsQuery, linkOf, snapshotsQuery } from './queries.ts';
import styles from './diagnostics.module.css';

const route = getRouteApi('/t/$tenantId/d/$divisionId/$environmentId/$deploymentId/diagnostics');

/** Diagnostic reports of the nodes: what is wrong, what that means and what to do. */
export function DiagnosticsTab() {
  const open = useDeployment();
  const { place, path, words } = open;
  const { snapshot: opened, with: other } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(snapshotsQuery(open));
  const { data: live } = useQuery(liveQuery(open));
  const [isCreating, setCreating] = useState(false);
  const [deleted, setDeleted] = useState<Snapshot>();
  const examinations = data && examinationsOf(data.items);
  const chosen =
    data?.items.find(({ id }) => id === opened) ?? data?.items.find(({ status }) => status === 'completed');
  const compared = data?.items.find(({ id }) => id === other);
  const nodeName = (id: number) => live?.nodes.find((node) => node.id === id)?.name ?? `node ${id}`;
  const isBusy = data?.items.some(({ status }) => status === 'processing') === true;
  const create = (
    <ActionButton
      action="createSnapshot"
      on={place}
      kind="primary"
      isDisabled={isBusy}
      onPress={() => setCreating(true)}
    />
  );
  return (
    <div className={layout.closeStack}>
      <Card
        title="Reports"
        flush
        actions={
          <span className={layout.inlineRow}>
            {create}
            <AsCode
              command={['snapshots', 'list', words]}
              request={{
                method: 'GET',
                path: `/deployments/${path.deployment_id}/snapshots`,
                layer: 'supervisor',
              }}
            />
          </span>
        }
      >
        {!examinations ? (
          error ? (
            <ErrorState error={error} onRetry={() => void refetch()} />
          ) : (
            <SkeletonLines />
          )
        ) : examinations.length === 0 ? (
          <EmptyState title="No reports yet" actions={create}>
            Each node is examined in seconds. The report says what is wrong, what that means and what to do.
          </EmptyState>
        ) : (
          <ul className={styles.reports}>
            {examinations
              .flatMap(({ snapshots }) => snapshots)
              .map((one) => (
                <li key={one.id} aria-current={one.id === chosen?.id ? 'true' : undefined}>
                  <strong>{nodeName(one.node_id)}</strong>
                  <Time at={one.created_at} />
                  {one.status === 'processing' && <Status kind="busy">Being examined</Status>}
                  <span className={styles.actions}>
                    <Button
                      size="small"
                      isDisabled={one.status !== 'completed'}
                      onPress={() => void navigate({ search: { snapshot: one.id } })}
                    >
                      Show
                    </Button>
                    <Button
                      size="small"
                      isDisabled={one.status !== 'completed' || !chosen || one.id === chosen.id}
                      onPress={() => void navigate({ search: { snapshot: chosen?.id, with: one.id } })}
                    >
                      Compare
                    </Button>
                    <Button
                      size="small"
                      isDisabled={one.status !== 'completed'}
                      onPress={() => void download(one)}
                    >
                      Download
                    </Button>
                    <ActionButton
                      action="deleteSnapshot"
                      on={place}
                      size="small"
                      isDisabled={one.status !== 'completed'}
                      onPress={() => setDeleted(one)}
                    />
                  </span>
                </li>
              ))}
          </ul>
        )}
      </Card>
      {chosen && compared ? (
        <Comparison
          snapshots={[chosen, compared]}
          nodeName={nodeName}
          onClose={() => void navigate({ search: { snapshot: chosen.id } })}
        />
      ) : (
        chosen && <Report key={chosen.id} snapshot={chosen} name={nodeName(chosen.node_id)} />
      )}
      {isCreating && <CreateSnapshot onClose={() => setCreating(false)} />}
      {deleted && <DeleteSnapshot snapshot={deleted} onClose={() => setDeleted(undefined)} />}
    </div>
  );

  /** The browser follows the link by way of the console's own origin. */
  async function download({ id: snapshot_id }: Snapshot) {
    try {
      const { deployment_id } = path;
      const { token } = await linkOf({ client: open.supervisor, deployment_id, snapshot_id });
      const { cloud, region } = open.region;
      const link = document.createElement('a');
      link.href = `/api/regions/${cloud}/${region}/snapshots/archive?token=${encodeURIComponent(token)}`;
      link.download = '';
      link.click();
    } catch (thrown) {
      toastError(thrown);
    }
  }
}

function Report({ snapshot, name }: { snapshot: Snapshot; name: string }) {
  const open = useDeployment();
  const { data, error, refetch } = useQuery({
    ...findingsQuery(open, snapshot.id),
    enabled: snapshot.status === 'completed',
  });
  return (
    <Card title={`What was found on ${name}`} flush>
      {data ? (
        <>
          {data.failure !== null && (
            <p className={styles.failure}>
              <Status kind="bad">{data.failure}</Status>
            </p>
          )}
          <ul className={styles.checks}>
            {data.checks.map((check) => (
              <CheckRow key={`${check.title} ${check.finding}`} check={check} />
            ))}
          </ul>
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines count={8} />
      )}
    </Card>
  );
}

function CheckRow({ check }: { check: Check }) {
  const { kind, word } = shownCheck(check.status);
  const { details } = check;
  return (
    <li>
      <span>
        <Status kind={kind}>{word}</Status>
      </span>
      <div className={styles.check}>
        <strong>{check.title}</strong>
        <p>{check.finding}</p>
        {check.meaning !== '' && <p className={layout.muted}>{check.meaning}</p>}
        {check.action !== null && <p>{check.action}</p>}
        {details.length > 0 && (
          <details>
            <summary>Figures</summary>
            <dl className={styles.figures}>
              {details.map(({ name, value }) => [
                <dt key={name}>{name}</dt>,
                <dd key={`${name} value`}>{value}</dd>,
              ])}
            </dl>
          </details>
        )}
      </div>
    </li>
  );
}
