import { useQuery } from '@tanstack/react-query';
import type { LiveDeployment } from '@sluice/client';
import { storageText } from '@sluice/console-core/lib/tiers.ts';
import { CopyField } from '@sluice/ui/copy.tsx';
import { Card, DescriptionList, Time } from '@sluice/ui/data.tsx';
import { ErrorState, PartialState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Labels } from '@sluice/ui/status.tsx';
import layout from '@sluice/ui/layout.module.css';
import { endpointsOf } from '../connect/endpoints.ts';
import { useDeployment } from '../deployment-context.ts';
import { liveQuery } from '../queries.ts';
import { Conditions } from './conditions.tsx';
import { DataLoss } from './data-loss.tsx';
import { Nodes } from './nodes.tsx';
import { Timeline } from './timeline.tsx';
import styles from '../deployment.module.css';

/** How the deployment is, what it is made of, and what it went through. */
export function OverviewTab() {
  const open = useDeployment();
  const { deployment } = open;
  // what nodes report is in no feed
  const { data: live, error, refetch } = useQuery({ ...liveQuery(open), refetchInterval: 15_000 });
  return (
    <div className={layout.stack}>
      {error && live && (
        <PartialState onRetry={() => void refetch()}>
          The region cannot be reached. What is shown is as it was.
        </PartialState>
      )}
      <DataLoss live={live} />
      <div className={styles.columns}>
        <div className={layout.stack}>
          <Timeline />
          <Card title="Nodes" flush>
            <Live {...{ live, error, refetch }}>{(one) => <Nodes live={one} />}</Live>
          </Card>
        </div>
        <div className={layout.stack}>
          <Card title="Conditions" flush>
            <Live {...{ live, error, refetch }}>{(one) => <Conditions conditions={one.conditions} />}</Live>
          </Card>
          <Card title="Endpoints" flush>
            <Live {...{ live, error, refetch }}>{(one) => <Endpoints live={one} />}</Live>
          </Card>
          <Card title="About">
            <DescriptionList
              items={[
                ['Id', <CopyField key="id" value={String(deployment.id)} label="id" isInline />],
                ['Code', <CopyField key="code" value={deployment.code} label="code" isInline />],
                ['Domain', deployment.domain],
                ['Broker', live?.runtime_version],
                ['Storage', storageText(deployment.storage)],
                ['Encrypted', deployment.encrypted ? 'yes' : 'no'],
                ['Network', live && (live.network_mode === 'public' ? 'public' : 'private')],
                ['Subnet', live?.cidr],
                ['Zones', deployment.availability_mode === 'multi_az' ? 'several' : 'one'],
                ['Machines', deployment.dedicated ? 'of this organization alone' : 'shared'],
                [
                  'Labels',
                  Object.keys(deployment.labels).length > 0 && <Labels labels={deployment.labels} />,
                ],
                ['Created', <Time key="created" at={deployment.created_at} />],
              ]}
            />
          </Card>
        </div>
      </div>
    </div>
  );
}

interface LiveProps {
  live: LiveDeployment | undefined;
  error: unknown;
  refetch: () => Promise<unknown>;
  children: (live: LiveDeployment) => React.ReactNode;
}

/** A part that the region answers. */
function Live({ live, error, refetch, children }: LiveProps) {
  if (live) return children(live);
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={3} />;
}

function Endpoints({ live }: { live: LiveDeployment }) {
  const known = endpointsOf(live);
  if (known.length === 0) return <p className={styles.calm}>There are none until the broker runs.</p>;
  return (
    <ul className={styles.rows}>
      {known.map(({ name, address }) => (
        <li key={name}>
          <span className={layout.muted}>{name}</span>
          <CopyField value={address} label={`the address for ${name}`} isInline />
        </li>
      ))}
    </ul>
  );
}
