import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '@sluice/ui/lib/lazy-part.ts';
import { getRouteApi } from '@tanstack/react-router';
import type { Broker } from '@sluice/stream-ui/broker/session.ts';
import { Button } from '@sluice/ui/button.tsx';
import { useLeft } from '@sluice/ui/lib/left.ts';
import { ErrorNote, Note, PartialState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import layout from '@sluice/ui/layout.module.css';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { useDeployment } from '../deployment-context.ts';
import { openSession } from './open-session.ts';
import { Reported } from './reported.tsx';

const Streams = lazyPart(() => import('@sluice/stream-ui/parts/streams.tsx'), 'Streams');

const route = getRouteApi('/t/$tenantId/d/$divisionId/$environmentId/$deploymentId/streams');

/** Streams and consumers as agents report them; with a session messages as well, and changes. */
export function StreamsTab() {
  const deployment = useDeployment();
  const { stream } = route.useSearch();
  const navigate = route.useNavigate();
  const [broker, setBroker] = useState<Broker>();
  const [isPending, setPending] = useState(false);
  const [ended, setEnded] = useState<string>();
  const [error, setError] = useState<unknown>();
  // with the tab the session ends, also one that is not open yet
  useEffect(() => () => void broker?.close(), [broker]);
  const isLeft = useLeft();
  const onOpen = (name: string | undefined) =>
    void navigate({ search: name === undefined ? {} : { stream: name } });
  const begin = async () => {
    setPending(true);
    setError(undefined);
    setEnded(undefined);
    try {
      const opened = await openSession(deployment, (end) => {
        setBroker(undefined);
        void import('@sluice/stream-ui/broker/session.ts').then(({ endText }) => setEnded(endText(end)));
      });
      if (isLeft.current) await opened.close();
      else setBroker(opened);
    } catch (thrown) {
      setError(thrown);
    }
    setPending(false);
  };
  if (broker)
    return (
      <div className={layout.stack}>
        <div className={layout.row}>
          <span className={layout.muted}>
            A session with the broker is open. It is recorded in the audit log.
          </span>
          <Button size="small" onPress={() => setBroker(undefined)}>
            End the session
          </Button>
        </div>
        <Suspense fallback={<SkeletonLines count={8} />}>
          <Streams broker={broker} open={stream} onOpen={onOpen} />
        </Suspense>
      </div>
    );
  return (
    <div className={layout.stack}>
      {ended !== undefined && <PartialState>The session has ended. {ended}</PartialState>}
      {error !== undefined && <ErrorNote error={error} />}
      <Note>
        Messages are read, and streams changed, in a session with the broker, which signs in with the login of
        the deployment.{' '}
        <ActionButton
          action="openBrokerSession"
          on={deployment.place}
          size="small"
          isPending={isPending}
          onPress={() => void begin()}
        />
      </Note>
      <Reported open={stream} onOpen={onOpen} />
    </div>
  );
}
