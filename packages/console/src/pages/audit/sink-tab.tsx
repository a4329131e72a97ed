import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { deleteAuditSink, getAuditSink, SluiceError, testAuditSink, type AuditSink } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { edited, versioned, type Versioned } from '@sluice/console-core/api/versions.ts';
import type { ShownStatus } from '@sluice/ui/lib/status.ts';
import { formatCount } from '@sluice/ui/lib/quantity.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { EditedForm } from '@sluice/console-core/parts/edited-form.tsx';
import { Card, DescriptionList, Time } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { ErrorState, Note, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Status } from '@sluice/ui/status.tsx';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { SinkForm } from './sink-settings.tsx';

const route = getRouteApi('/t/$tenantId/audit/sink');

const sinkKey = (tenantId: number) => keyOf('audit', tenantId, 'audit_sink');

/** Null where the tenant has none. */
const readSink = (tenant_id: number) => async (): Promise<Versioned<AuditSink | null>> => {
  try {
    return await versioned(getAuditSink({ client, path: { tenant_id } }));
  } catch (thrown) {
    if (thrown instanceof SluiceError && thrown.status === 404) return { value: null, version: '*' };
    throw thrown;
  }
};

/** Where the log is sent as it is written, such as to a SIEM, and how that goes. */
export function SinkTab() {
  const { tenantId } = route.useParams();
  const read = readSink(tenantId);
  const { data, error, refetch } = useQuery({ queryKey: sinkKey(tenantId), queryFn: read });
  const formOf = ['audit_sink', tenantId];
  const sink = data?.value;
  if (sink === undefined)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={6} />;
  const refresh = () => queryClient.invalidateQueries({ queryKey: sinkKey(tenantId) });
  return (
    <div className={layout.closeStack}>
      {sink === null ? (
        <Note>
          The log is not sent anywhere yet. Say where, and new entries go there as they are written.
        </Note>
      ) : (
        <Progress
          tenantId={tenantId}
          sink={sink}
          onDeleted={async () => {
            await refresh();
            await queryClient.resetQueries({ queryKey: edited(formOf, read).queryKey });
          }}
        />
      )}
      <Card title={sink === null ? 'Send the log' : 'Settings'}>
        <EditedForm of={formOf} read={read}>
          {(first) => <SinkForm tenantId={tenantId} first={first} read={read} onSaved={refresh} />}
        </EditedForm>
      </Card>
    </div>
  );
}

const states: Record<AuditSink['status']['state'], ShownStatus> = {
  active: { kind: 'ok', word: 'Active' },
  failing: { kind: 'bad', word: 'Failing' },
  disabled: { kind: 'idle', word: 'Switched off' },
  suspended: { kind: 'warn', word: 'Suspended: the plan has no export of the audit log' },
};

interface ProgressProps {
  tenantId: number;
  sink: AuditSink;
  onDeleted: () => Promise<void>;
}

function Progress({ tenantId, sink, onDeleted }: ProgressProps) {
  const [isTesting, setTesting] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const path = { tenant_id: tenantId };
  const { status } = sink;
  const { kind, word } = states[status.state];
  const test = async () => {
    setTesting(true);
    try {
      const { data } = await testAuditSink({ client, path });
      if (data.taken) toast('The sink has taken the test');
      else toastError(new Error(`The sink has not taken the test. ${data.reason ?? ''}`));
    } catch (thrown) {
      toastError(thrown);
    }
    setTesting(false);
  };
  return (
    <Card
      title="Progress"
      actions={
        <span className={layout.row}>
          <AsCode
            command={['audit', 'sink', 'test']}
            request={{ method: 'POST', path: `/audit/tenants/${tenantId}/sink/test`, layer: 'audit' }}
          />
          <ActionButton
            action="testAuditSink"
            size="small"
            isPending={isTesting}
            onPress={() => void test()}
          />
          <ActionButton
            action="deleteAuditSink"
            size="small"
            kind="danger"
            onPress={() => setDeleting(true)}
          />
        </span>
      }
    >
      <DescriptionList
        items={[
          [
            'State',
            <Status key="state" kind={kind}>
              {word}
            </Status>,
          ],
          ['Last error', status.last_error],
          ['Failing since', status.failing_since && <Time key="since" at={status.failing_since} />],
          ['Tried again', status.next_attempt_at && <Time key="next" at={status.next_attempt_at} />],
          ['Taken', `${formatCount(status.delivered)} entries`],
          [
            'Waiting',
            status.behind === 0 ? (
              'nothing'
            ) : (
              <span key="waiting">
                {formatCount(status.behind)} entries, the oldest from <Time at={status.oldest_waiting_at} />
              </span>
            ),
          ],
          ['Missed', status.missed > 0 ? `${formatCount(status.missed)} entries` : undefined],
          ['Last taken', <Time key="last" at={status.last_delivery_at} />],
        ]}
      />
      <ConfirmDialog
        title="Delete the sink"
        isOpen={isDeleting}
        onOpenChange={setDeleting}
        action="Delete"
        name={sink.s3?.bucket ?? hostOf(sink.https?.url)}
        onConfirm={async () => {
          await deleteAuditSink({ client, path });
          toast('The log is sent no more');
          await onDeleted();
        }}
      >
        <p>What was sent stays where it is. The settings are deleted, and what waits is not sent.</p>
        <AsCode
          command={['audit', 'sink', 'delete', '--yes']}
          request={{ method: 'DELETE', path: `/audit/tenants/${tenantId}/sink`, layer: 'audit' }}
        />
      </ConfirmDialog>
    </Card>
  );
}

const hostOf = (url: string | undefined) =>
  url !== undefined && URL.canParse(url) ? new URL(url).host : 'sink';
