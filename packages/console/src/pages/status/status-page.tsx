import { useQuery } from '@tanstack/react-query';
import { getStatus, type Incident, type Status as InstallationStatus } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { read } from '@sluice/console-core/api/query-client.ts';
import { Plain } from '../../layout/plain.tsx';
import type { ShownStatus } from '@sluice/ui/lib/status.ts';
import { Time } from '@sluice/ui/data.tsx';
import { ErrorState, PartialState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Status, StatusIcon } from '@sluice/ui/status.tsx';
import layout from '@sluice/ui/layout.module.css';
import styles from './status.module.css';

const statusQuery = {
  ...read(keyOf('main', null, 'status'), (signal) => getStatus({ client, signal })),
  refetchInterval: 15_000,
};

const overall: Record<InstallationStatus['status'], ShownStatus> = {
  operational: { kind: 'ok', word: 'All regions are operational' },
  degraded: { kind: 'warn', word: 'Some of it does not work as it should' },
  outage: { kind: 'bad', word: 'There is an outage' },
};

const ofRegion: Record<InstallationStatus['regions'][number]['status'], ShownStatus> = {
  operational: { kind: 'ok', word: 'Operational' },
  degraded: { kind: 'warn', word: 'Degraded' },
  outage: { kind: 'bad', word: 'Outage' },
  silent: { kind: 'bad', word: 'Does not report' },
};

/** How the installation and its regions are, and what operators say of failures. */
export function StatusPage() {
  const { data, error, refetch } = useQuery(statusQuery);
  return (
    <Plain title="Status" about="How this installation is now. It is read again every 15 seconds.">
      {data ? (
        <Content status={data} isOld={error !== null} onRetry={() => void refetch()} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines count={6} />
      )}
    </Plain>
  );
}

interface ContentProps {
  status: InstallationStatus;
  isOld: boolean;
  onRetry: () => void;
}

function Content({ status: { status, at, regions, incidents }, isOld, onRetry }: ContentProps) {
  const open = incidents.filter(({ resolved_at: resolved }) => resolved === null);
  const past = incidents.filter(({ resolved_at: resolved }) => resolved !== null);
  const nameOf = ({ cloud, region }: { cloud: string; region: string }) =>
    regions.find((one) => one.cloud === cloud && one.region === region)?.name ?? region;
  const list = (some: readonly Incident[]) =>
    some.map((incident) => (
      <IncidentItem key={incident.id} incident={incident} where={incident.regions.map(nameOf).join(', ')} />
    ));
  return (
    <div className={styles.stack}>
      {isOld && (
        <PartialState onRetry={onRetry}>
          The status cannot be read. What is shown is of <Time at={at} />.
        </PartialState>
      )}
      <p className={styles.overall} data-status={status} role="status">
        <StatusIcon kind={overall[status].kind} />
        {overall[status].word}
      </p>
      {list(open)}
      <section>
        <h2>Regions</h2>
        <ul className={styles.regions}>
          {regions.map(({ cloud, region, name, status: one, since }) => (
            <li key={`${cloud}/${region}`}>
              <span>
                {name} <span className={layout.muted}>{cloud}</span>
              </span>
              <span className={styles.state}>
                <Status kind={ofRegion[one].kind}>{ofRegion[one].word}</Status>
                <span className={layout.muted}>
                  since <Time at={since} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>The last 14 days</h2>
        {past.length === 0 ? <p className={layout.muted}>No incident was resolved.</p> : list(past)}
      </section>
    </div>
  );
}

const kinds = { opened: 'Opened', updated: 'Update', resolved: 'Resolved' } as const;

function IncidentItem({ incident, where }: { incident: Incident; where: string }) {
  const { title, impact, resolved_at: resolved, updates } = incident;
  const kind = resolved !== null ? 'ok' : impact === 'outage' ? 'bad' : 'warn';
  return (
    <article className={styles.incident}>
      <h3>
        <StatusIcon kind={kind} /> {title}
      </h3>
      <p className={layout.muted}>{where === '' ? 'The whole installation' : where}</p>
      <ol>
        {updates.toReversed().map(({ at, kind: one, message }) => (
          <li key={`${at} ${one}`}>
            <span className={layout.muted}>
              {kinds[one]} <Time at={at} />
            </span>
            <p>{message}</p>
          </li>
        ))}
      </ol>
    </article>
  );
}
