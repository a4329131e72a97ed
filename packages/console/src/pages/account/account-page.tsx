import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { linkIdentity } from '@sluice/client';
import { sluice } from '@sluice/console-core/api/client.ts';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { accountQuery } from '@sluice/console-core/api/queries.ts';
import { identitiesQuery } from '@sluice/console-core/api/sign-in.ts';
import { Plain } from '../../layout/plain.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { Card, DescriptionList, Time } from '@sluice/ui/data.tsx';
import { ErrorNote, ErrorState, Note } from '@sluice/ui/feedback.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { DefaultsCard } from './defaults-card.tsx';
import { ExportCard } from './export-card.tsx';
import { IdentitiesCard } from './identities-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import styles from '../sign-in/sign-in.module.css';

const route = getRouteApi('/account');

/** The person's own account: who they are, how and where they are signed in, what they begin with. */
export function AccountPage() {
  const { next } = route.useSearch();
  const { data: account, error, refetch } = useQuery(accountQuery);
  return (
    <Plain title="Account" about={account && `${account.name}, ${account.email}`}>
      {error && !account && <ErrorState error={error} onRetry={() => void refetch()} />}
      {account && next === 'link' && <LinkConfirmed />}
      {account && (
        <Card title="About you">
          <DescriptionList
            items={[
              ['Name', account.name],
              ['Address', account.email],
              ['Member since', <Time key="since" at={account.created_at} />],
            ]}
          />
        </Card>
      )}
      {account && (
        <>
          <IdentitiesCard />
          <SessionsCard />
          <DefaultsCard settings={account.settings} />
          <ExportCard />
        </>
      )}
      <Link to="/organizations" look="button">
        Organizations
      </Link>
    </Plain>
  );
}

/** An identity provider has sent the person back: the last word is theirs. */
function LinkConfirmed() {
  const navigate = useNavigate();
  const link = useMutation({
    mutationFn: async () => {
      await linkIdentity({ client: sluice });
      await queryClient.invalidateQueries({ queryKey: identitiesQuery.queryKey });
      await navigate({ to: '/account', search: {}, replace: true });
    },
  });
  return (
    <>
      <Note>Your identity provider has confirmed who you are. Link it to sign in with it from now on.</Note>
      {link.error && <ErrorNote error={link.error} />}
      <div className={styles.decision}>
        <Button onPress={() => void navigate({ to: '/account', search: {}, replace: true })}>Not now</Button>
        <Button kind="primary" onPress={() => link.mutate()} isPending={link.isPending}>
          Link it
        </Button>
      </div>
    </>
  );
}
