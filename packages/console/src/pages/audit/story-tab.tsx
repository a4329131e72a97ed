import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { listAuditEntries, paginate, type AuditEntry } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { plural } from '@sluice/ui/lib/quantity.ts';
import { durationText } from '@sluice/ui/lib/time.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { CopyField } from '@sluice/ui/copy.tsx';
import { Card, Time } from '@sluice/ui/data.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import layout from '@sluice/ui/layout.module.css';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { authorOf, placeOf } from './entries.ts';
import styles from './audit.module.css';

const route = getRouteApi('/t/$tenantId/audit/requests/$correlationId');

/** more than that no page has to show */
const mostShown = 1000;

/** All that one request or workflow has caused, in the order in which it happened. */
export function StoryTab() {
  const { tenantId, correlationId } = route.useParams();
  const { division } = route.useSearch();
  const { data, error, refetch } = useQuery({
    queryKey: keyOf('audit', tenantId, 'audit_entry', 'story', correlationId, division),
    queryFn: async ({ signal }) => {
      const query = { correlation_id: correlationId, ...(division !== undefined && { division }) };
      const entries: AuditEntry[] = [];
      for await (const entry of paginate(listAuditEntries, {
        client,
        path: { tenant_id: tenantId },
        query,
        signal,
      })) {
        entries.push(entry);
        if (entries.length === mostShown) break;
      }
      return entries.reverse();
    },
    refetchInterval: 5000,
  });
  return (
    <div className={layout.closeStack}>
      <p>
        <Link to="/t/$tenantId/audit" params={{ tenantId }}>
          All entries
        </Link>
      </p>
      <Card
        title="One request"
        flush
        actions={
          <AsCode
            command={['audit', 'list', '--correlation', correlationId]}
            request={{
              method: 'GET',
              path: `/audit/tenants/${tenantId}`,
              query: { correlation_id: correlationId, division },
              layer: 'audit',
            }}
          />
        }
      >
        {!data &&
          (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={5} />)}
        {data?.length === 0 && (
          <EmptyState title="Nothing is recorded of it">
            The request is of another organization, its entries are gone with their retention, or you may not
            see them.
          </EmptyState>
        )}
        {data && data.length > 0 && <Story entries={data} correlationId={correlationId} />}
      </Card>
    </div>
  );
}

function Story({ entries, correlationId }: { entries: readonly AuditEntry[]; correlationId: string }) {
  const [first] = entries;
  const began = Date.parse(first?.timestamp ?? '');
  return (
    <ol className={styles.story}>
      <li>
        <span className={styles.offset}>
          <Time at={first?.timestamp ?? null} />
        </span>
        <div>
          {plural(entries.length, 'entry', 'entries')}, by {first ? authorOf(first) : ''}
          <CopyField value={correlationId} label="request" />
        </div>
      </li>
      {entries.map((entry, index) => (
        <li key={index}>
          <span className={styles.offset}>
            {index === 0 ? 'first' : `+ ${offsetText(Date.parse(entry.timestamp) - began)}`}
          </span>
          <div className={styles.step}>
            <span className={layout.name}>{entry.name}</span>
            <span className={layout.muted}>
              {[authorOf(entry), placeOf(entry)].filter((text) => text !== '').join(' · ')}
            </span>
            {entry.data !== null && (
              <details>
                <summary>Data</summary>
                <pre tabIndex={0} aria-label={`Data of ${entry.name}`}>
                  {JSON.stringify(entry.data, null, 2)}
                </pre>
              </details>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

const offsetText = (milliseconds: number) =>
  milliseconds < 1000 ? `${milliseconds} ms` : durationText(milliseconds);
