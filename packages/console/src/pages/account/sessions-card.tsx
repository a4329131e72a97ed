import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { deleteOtherSessions, deleteSession, listSessions, type Session } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { queryClient, read } from '@sluice/console-core/api/query-client.ts';
import { signInSourcesQuery } from '@sluice/console-core/api/sign-in.ts';
import { Button } from '@sluice/ui/button.tsx';
import { Card, Time } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Tag } from '@sluice/ui/status.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import styles from '../sign-in/sign-in.module.css';

/** It is read again from time to time: sessions are of no organization, so no feed tells of them. */
const sessionsQuery = {
  ...read(keyOf('main', null, 'sessions'), (signal) => listSessions({ client, signal })),
  refetchInterval: 30_000,
};

/** Browsers and terminals in which the person is signed in. */
export function SessionsCard() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const { data: sources } = useQuery(signInSourcesQuery);
  const [ended, setEnded] = useState<Session | 'others'>();
  const hasOthers = data?.some(({ current }) => !current) ?? false;
  const refresh = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  return (
    <Card
      title="Sessions and terminals"
      flush
      actions={
        hasOthers && (
          <Button size="small" onPress={() => setEnded('others')}>
            End all others
          </Button>
        )
      }
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <SkeletonLines count={3} />}
      <ul className={styles.rows}>
        {data?.map((session) => (
          <li key={session.id}>
            <div>
              {session.machine === null ? 'Browser' : `Terminal ${session.machine}`}{' '}
              {session.current && <Tag>this one</Tag>}
              <p className={styles.small}>
                {sources?.find(({ source }) => source === session.source)?.title ?? session.source}, signed in{' '}
                <Time at={session.created_at} />, used <Time at={session.last_used_at} />
              </p>
            </div>
            {!session.current && (
              <Button size="small" onPress={() => setEnded(session)}>
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {ended && (
        <ConfirmDialog
          title={ended === 'others' ? 'End all other sessions' : 'End the session'}
          isOpen
          onOpenChange={(isOpen) => !isOpen && setEnded(undefined)}
          action="End"
          onConfirm={async () => {
            await (ended === 'others'
              ? deleteOtherSessions({ client })
              : deleteSession({ client, path: { session_id: ended.id } }));
            toast(ended === 'others' ? 'All other sessions are ended' : 'The session is ended');
            await refresh();
          }}
        >
          Who uses it there is signed out at once.
        </ConfirmDialog>
      )}
    </Card>
  );
}
