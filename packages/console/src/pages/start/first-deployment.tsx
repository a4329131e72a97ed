import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { DeploymentCredentials } from '@sluice/client';
import { shownDeploymentStatus } from '@sluice/console-core/lib/status.ts';
import { CopyField } from '@sluice/ui/copy.tsx';
import { ErrorState } from '@sluice/ui/feedback.tsx';
import layout from '@sluice/ui/layout.module.css';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { endpointsOf } from '@sluice/console-deployment/connect/endpoints.ts';
import { Login } from '@sluice/console-deployment/connect/login.tsx';
import { Snippets } from '@sluice/console-deployment/connect/snippets.tsx';
import {
  DeploymentContext,
  useDeployment,
  type OpenDeployment,
} from '@sluice/console-deployment/deployment-context.ts';
import { useDeploymentFeed, useOpenDeployment } from '@sluice/console-deployment/open-deployment.ts';
import { certificatesQuery, historyQuery, liveQuery } from '@sluice/console-deployment/queries.ts';
import { Step } from './step.tsx';

/** The steps after the deployment was made. */
export function FirstDeployment({ params }: { params: OpenDeployment['params'] }) {
  const { open, error, refetch } = useOpenDeployment(params);
  if (!open)
    return error ? (
      <li>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </li>
    ) : (
      <Step title="It starts" state="busy" />
    );
  return (
    <DeploymentContext value={open}>
      <Steps />
    </DeploymentContext>
  );
}

function Steps() {
  const open = useDeployment();
  useDeploymentFeed(open);
  const { deployment, params } = open;
  const isRunning = deployment.status === 'initialized';
  // the region may not know it at once, and its status changes by the second
  const often = { refetchInterval: isRunning ? (false as const) : 2000 };
  const { data: live } = useQuery({ ...liveQuery(open), ...often });
  const { data: history } = useQuery({ ...historyQuery(open), ...often });
  const { data: certificates } = useQuery(certificatesQuery(open));
  const [login, setLogin] = useState<DeploymentCredentials>();
  const status = live?.status ?? deployment.status;
  const { kind, word } = shownDeploymentStatus(status);
  const address = live && endpointsOf(live).find(({ key }) => key === 'broker_tcp')?.address;
  const isReady = status === 'initialized' && address !== undefined;
  const passed = (history?.items ?? [])
    .toReversed()
    .filter(({ ended_at: end }) => end !== null)
    .map((one) => shownDeploymentStatus(one.status).word);
  return (
    <>
      <Step title={isReady ? 'It runs' : word} state={isReady ? 'ok' : kind === 'ok' ? 'busy' : kind}>
        <p className={layout.muted} role="status">
          {status === 'failed' ? (live?.status_reason ?? deployment.status_reason) : passed.join(' · ')}
        </p>
      </Step>
      <Step title="Its address" state={isReady ? 'ok' : 'idle'}>
        {isReady && <CopyField value={address} label="the address" />}
      </Step>
      <Step title="Its login" state={isReady ? (login ? 'ok' : 'busy') : 'idle'}>
        {isReady && <Login login={login} onChange={setLogin} />}
      </Step>
      <Step title="Connect" state={isReady ? 'busy' : 'idle'}>
        {isReady && (
          <>
            <Snippets address={address} certificates={certificates} login={login} />
            <p>
              <Link
                to="/t/$tenantId/d/$divisionId/$environmentId/$deploymentId"
                params={params}
                look="primary"
              >
                Open the deployment
              </Link>
            </p>
          </>
        )}
      </Step>
    </>
  );
}
