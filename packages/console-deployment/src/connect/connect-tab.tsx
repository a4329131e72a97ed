import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { DeploymentCredentials } from '@sluice/client';
import { Card } from '@sluice/ui/data.tsx';
import { CopyField } from '@sluice/ui/copy.tsx';
import { EmptyState, ErrorState, Note, SkeletonLines } from '@sluice/ui/feedback.tsx';
import layout from '@sluice/ui/layout.module.css';
import { ExternalLink, Link } from '@sluice/console-core/parts/link.tsx';
import { useDeployment } from '../deployment-context.ts';
import { certificatesQuery, liveQuery } from '../queries.ts';
import { Certificate } from './certificate.tsx';
import { endpointsOf, streamPageOf } from './endpoints.ts';
import { Login } from './login.tsx';
import { Snippets } from './snippets.tsx';
import styles from '../deployment.module.css';

/** How a client connects: where to, as whom, and the lines that do it. */
export function ConnectTab() {
  const open = useDeployment();
  const { data: live, error, refetch } = useQuery(liveQuery(open));
  const { data: certificates } = useQuery(certificatesQuery(open));
  const [login, setLogin] = useState<DeploymentCredentials>();
  if (!live)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={8} />;
  const endpoints = endpointsOf(live);
  const address = endpoints.find(({ key }) => key === 'broker_tcp')?.address;
  // a deployment without a certificate speaks in the clear
  const streamPage = streamPageOf(endpoints, certificates?.serial !== null);
  const isClosed = live.conditions.some(({ type, status }) => type === 'AccessAllowed' && status === 'False');
  return (
    <div className={layout.stack}>
      {isClosed && (
        <Note>
          No address is let in yet, so no client can connect.{' '}
          <Link to="/t/$tenantId/d/$divisionId/$environmentId/$deploymentId/access" params={open.params}>
            Add a rule
          </Link>
        </Note>
      )}
      <div className={styles.columns}>
        <div className={layout.stack}>
          {address === undefined ? (
            <Card title="Lines to copy">
              <EmptyState title="No address yet">
                {live.status_reason ?? 'The lines appear here when the broker runs.'}
              </EmptyState>
            </Card>
          ) : (
            <Snippets address={address} certificates={certificates} login={login} />
          )}
        </div>
        <div className={layout.stack}>
          <Card title="Endpoints" flush>
            {endpoints.length === 0 && <p className={styles.calm}>There are none until the broker runs.</p>}
            <ul className={styles.rows}>
              {endpoints.map(({ key, name, address: one }) => (
                <li key={key}>
                  <span className={layout.muted}>{name}</span>
                  <CopyField value={one} label={`the address for ${name}`} isInline />
                </li>
              ))}
            </ul>
            {streamPage !== undefined && (
              <>
                <p className={styles.calm}>
                  <ExternalLink href={streamPage}>Open the stream UI</ExternalLink>
                </p>
                <p className={styles.calm}>
                  It is served by the nodes themselves, for addresses that a rule admits to it.
                  {(certificates?.authority ?? null) !== null &&
                    ' Your browser warns of it until it trusts the authority, which is below.'}
                </p>
              </>
            )}
          </Card>
          <Login login={login} onChange={setLogin} />
          <Certificate certificates={certificates} />
        </div>
      </div>
    </div>
  );
}
