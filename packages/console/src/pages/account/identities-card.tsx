import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { beginLink, deleteIdentity, type Identity } from '@sluice/client';
import { sluice } from '@sluice/console-core/api/client.ts';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { identitiesQuery, signInSourcesQuery } from '@sluice/console-core/api/sign-in.ts';
import { Button } from '@sluice/ui/button.tsx';
import { Card, Time } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { ErrorNote, ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import styles from '../sign-in/sign-in.module.css';

/** The identity providers that the person signs in with. */
export function IdentitiesCard() {
  const identities = useQuery(identitiesQuery);
  const sources = useQuery(signInSourcesQuery);
  const titleOf = (source: string) => sources.data?.find((one) => one.source === source)?.title ?? source;
  const [unlinked, setUnlinked] = useState<Identity>();
  const begin = useMutation({
    mutationFn: async (source: string) => {
      const { data } = await beginLink({ client: sluice, body: { source } });
      window.location.assign(data.url);
    },
  });
  const linked = new Set(identities.data?.map(({ source }) => source));
  const others = identities.data ? (sources.data ?? []).filter(({ source }) => !linked.has(source)) : [];
  return (
    <Card title="Sign-in" flush>
      {identities.error && !identities.data && (
        <ErrorState error={identities.error} onRetry={() => void identities.refetch()} />
      )}
      {identities.isPending && <SkeletonLines count={2} />}
      {begin.error && <ErrorNote error={begin.error} />}
      <ul className={styles.rows}>
        {identities.data?.map(({ id, source, email, created_at: at }) => (
          <li key={id}>
            <div>
              {titleOf(source)}
              <p className={styles.small}>
                {email ?? 'without a verified address'}, linked <Time at={at} />
              </p>
            </div>
            <Button
              size="small"
              onPress={() => setUnlinked({ id, source, email, created_at: at })}
              disabledReason={
                identities.data.length === 1 ? 'It is the only one that you sign in with.' : undefined
              }
            >
              Unlink
            </Button>
          </li>
        ))}
        {others.map(({ source, title }) => (
          <li key={source}>
            {title}
            <Button size="small" onPress={() => begin.mutate(source)} isPending={begin.isPending}>
              Link
            </Button>
          </li>
        ))}
      </ul>
      {unlinked && (
        <ConfirmDialog
          title={`Unlink ${titleOf(unlinked.source)}`}
          isOpen
          onOpenChange={(isOpen) => !isOpen && setUnlinked(undefined)}
          action="Unlink"
          onConfirm={async () => {
            await deleteIdentity({ client: sluice, path: { identity_id: unlinked.id } });
            toast(`${titleOf(unlinked.source)} does not sign you in any more`);
            await queryClient.invalidateQueries({ queryKey: ['main', null] });
          }}
        >
          It does not sign you in any more, and the sessions that began with it end. This one may be among
          them.
        </ConfirmDialog>
      )}
    </Card>
  );
}
