import { useEffect, useRef, useState } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import { exportAuditLog, verifyAuditLog, type AuditVerification } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { formatCount, plural } from '@sluice/ui/lib/quantity.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { CopyField } from '@sluice/ui/copy.tsx';
import { Card, DescriptionList, Time } from '@sluice/ui/data.tsx';
import { ErrorNote } from '@sluice/ui/feedback.tsx';
import { TextField } from '@sluice/ui/field.tsx';
import { Status } from '@sluice/ui/status.tsx';
import layout from '@sluice/ui/layout.module.css';
import { Findings } from './findings.tsx';
import { Broken, headIn, textOf, verifyExport, type Verified } from './verify.ts';

const route = getRouteApi('/t/$tenantId/audit/verification');

type State =
  | { step: 'idle' }
  | { step: 'service' }
  | { step: 'browser'; service: AuditVerification; entries: number }
  | { step: 'done'; service: AuditVerification; found?: Verified; broken?: string; kept: boolean }
  | { step: 'failed'; error: unknown; service: AuditVerification | undefined };

/** Computes the chain of the log anew in this browser, and compares it with what the service says of it. */
export function VerificationTab() {
  const { tenantId } = route.useParams();
  const [state, setState] = useState<State>({ step: 'idle' });
  const [kept, setKept] = useState('');
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const head = headIn(kept);
  const isWrong = kept.trim() !== '' && head === undefined;
  const isBusy = state.step === 'service' || state.step === 'browser';
  const verify = async () => {
    stop.current = new AbortController();
    const { signal } = stop.current;
    const path = { tenant_id: tenantId };
    let service: AuditVerification | undefined;
    try {
      setState({ step: 'service' });
      service = (await verifyAuditLog({ client, path, signal })).data;
      const said = service;
      setState({ step: 'browser', service: said, entries: 0 });
      const { data } = await exportAuditLog({ client, path, parseAs: 'stream', signal });
      const heads = [said.last, head ?? null].flatMap((one) => one ?? []);
      const stream = data as unknown as ReadableStream<Uint8Array>;
      const ended = { step: 'done', service: said, kept: head !== undefined } as const;
      try {
        const found = await verifyExport(textOf(stream), { tenantId, heads }, (entries) =>
          setState({ step: 'browser', service: said, entries }),
        );
        setState({ ...ended, found });
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        setState({ ...ended, broken: error.message });
      }
    } catch (error) {
      setState(signal.aborted ? { step: 'idle' } : { step: 'failed', error, service });
    }
  };
  return (
    <div className={layout.closeStack}>
      <Card
        title="Verify the log"
        actions={
          <AsCode
            command={['audit', 'verify']}
            request={{ method: 'GET', path: `/audit/tenants/${tenantId}/verify`, layer: 'audit' }}
          />
        }
      >
        <div className={layout.closeStack}>
          <p>
            Each entry has a hash over all that it says and over the hash of the entry before it. This browser
            reads the whole log and computes all of them anew, so that you need not take the word of the
            service: an entry that was changed, removed, added or moved does not fit.
          </p>
          <TextField
            label="A head that you kept"
            description="Optional: what a former verification gave you to keep. The log has to have it still."
            placeholder='{"seq":1041,"hash":"8f43…"}'
            value={kept}
            onChange={setKept}
            isMono
            error={isWrong ? 'It is no head: JSON with seq and hash.' : undefined}
          />
          <div className={layout.row}>
            <Button kind="primary" isPending={isBusy} isDisabled={isWrong} onPress={() => void verify()}>
              Verify in this browser
            </Button>
            {isBusy && <Button onPress={() => stop.current?.abort()}>Stop</Button>}
            <span className={layout.muted} role="status">
              {state.step === 'service' && 'The service verifies its log …'}
              {state.step === 'browser' && `${plural(state.entries, 'entry', 'entries')} computed …`}
            </span>
          </div>
          {state.step === 'failed' && <ErrorNote error={state.error} onRetry={() => void verify()} />}
        </div>
      </Card>
      {state.step === 'failed' && state.service && <Service service={state.service} />}
      {state.step === 'done' && (
        <>
          <Card title="What this browser has found">
            <Findings found={state.found} broken={state.broken} hasKept={state.kept} />
          </Card>
          {state.found && state.found.entries > 0 && (
            <Card title="To keep">
              <div className={layout.closeStack}>
                <p>
                  Keep this head where the service cannot write. With it, a later verification shows that
                  nothing up to entry {formatCount(state.found.last.seq)} was written anew.
                </p>
                <CopyField
                  value={JSON.stringify({ tenant_id: tenantId, ...state.found.last })}
                  label="head"
                />
              </div>
            </Card>
          )}
          <Service service={state.service} />
        </>
      )}
    </div>
  );
}

const reasons: Record<string, string> = {
  changed: 'does not say what its hash was taken over',
  unlinked: 'is not chained to the one before it',
  missing: 'is missing',
  added: 'was added',
  rewritten: 'had another hash when it was published',
};

/** What the service itself says, which holds the heads that it has published. */
function Service({ service }: { service: AuditVerification }) {
  const { intact, break: found, published_heads: heads } = service;
  return (
    <Card title="What the service says">
      <DescriptionList
        items={[
          [
            'Log',
            intact ? (
              <Status key="log" kind="ok">
                As it was recorded
              </Status>
            ) : (
              <Status key="log" kind="bad">
                {found
                  ? `Entry ${found.seq} ${reasons[found.reason] ?? found.reason}`
                  : 'Not as it was recorded'}
              </Status>
            ),
          ],
          ['Entries', formatCount(service.entries)],
          ['Published heads that agree', formatCount(heads.agreed)],
          ['Heads with a wrong signature', heads.refused > 0 ? formatCount(heads.refused) : undefined],
          ['Published head that is missing', heads.missing && `entry ${heads.missing.seq}`],
          ['Gone with their retention', service.anchor && `up to entry ${formatCount(service.anchor.seq)}`],
          [
            'Database restored',
            service.database_restored_at && <Time key="restored" at={service.database_restored_at} />,
          ],
          ['Verified', <Time key="at" at={service.verified_at} />],
        ]}
      />
    </Card>
  );
}
