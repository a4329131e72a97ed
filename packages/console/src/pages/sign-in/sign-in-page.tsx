import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { signInAddress, signInFailure, signInSourcesQuery } from '@sluice/console-core/api/sign-in.ts';
import { Plain } from '../../layout/plain.tsx';
import { buttonClass } from '@sluice/ui/button.tsx';
import { EmptyState, ErrorState, Note, SkeletonLines } from '@sluice/ui/feedback.tsx';
import styles from './sign-in.module.css';

const route = getRouteApi('/sign-in');

/** The identity providers of the installation. */
export function SignInPage() {
  const { return_to: returnTo = '/', error: problem } = route.useSearch();
  const { data: sources, error, refetch } = useQuery(signInSourcesQuery);
  return (
    <Plain title="Sign in" about="Choose how you sign in. Who has no account yet gets one on the way.">
      {problem !== undefined && <Note>{signInFailure(problem)}</Note>}
      {error && !sources && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!sources && !error && <SkeletonLines count={2} />}
      {sources?.length === 0 && (
        <EmptyState title="No identity provider">
          This installation has none. Its operator can add one.
        </EmptyState>
      )}
      <ul className={styles.list}>
        {sources?.map(({ source, title }, index) => (
          <li key={source}>
            {/* the server answers this address, not the router */}
            <a
              className={buttonClass(index === 0 ? 'primary' : 'plain')}
              href={signInAddress(source, returnTo)}
            >
              Continue with {title}
            </a>
          </li>
        ))}
      </ul>
    </Plain>
  );
}
