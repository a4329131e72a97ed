import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { beginLink, linkIdentity } from '@sluice/client';
import { sluice } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { accountQuery } from '../../api/queries.ts';
import { identitiesQuery, signInSourcesQuery } from '../../api/sign-in.ts';
import { Plain } from '../../layout/plain.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, DescriptionList, Time } from '../../ui/data.tsx';
import { ErrorNote, ErrorState, Note, SkeletonLines } from '../../ui/feedback.tsx';
import { Link } from '../../ui/link.tsx';
import styles from '../sign-in/sign-in.module.css';

const route = getRouteApi('/account');

/** The person's own account: who they are, and by what identity providers. */
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
      {account && <Identities />}
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

function Identities() {
  const identities = useQuery(identitiesQuery);
  const sources = useQuery(signInSourcesQuery);
  const titleOf = (source: string) => sources.data?.find((one) => one.source === source)?.title ?? source;
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
              <p className={styles.small}>{email ?? 'without a verified address'}</p>
            </div>
            <span className={styles.small}>
              <Time at={at} />
            </span>
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
    </Card>
  );
}
