import { useCallback, useEffect, useRef, useState } from 'react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { signIn, signUp } from '@sluice/client';
import { forgetSession, sluice } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { safePath } from '../../api/sign-in.ts';
import { Plain } from '../../layout/plain.tsx';
import { ErrorNote, SkeletonLines } from '../../ui/feedback.tsx';
import { Form, FormText } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';

const route = getRouteApi('/sign-in/return');

/** The identity provider has sent the browser back: signs in, or makes an account. */
export function ReturnPage() {
  const { next = 'sign_in', return_to: returnTo } = route.useSearch();
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>();
  const hasBegun = useRef(false);
  const proceed = useCallback(async () => {
    forgetSession();
    queryClient.clear();
    await navigate({ href: safePath(returnTo), replace: true });
  }, [navigate, returnTo]);
  useEffect(() => {
    // an answer of the provider can be used once
    if (next !== 'sign_in' || hasBegun.current) return;
    hasBegun.current = true;
    signIn({ client: sluice }).then(proceed, setError);
  }, [next, proceed]);
  if (next === 'sign_up') return <SignUp onDone={proceed} />;
  return (
    <Plain title="Signing in">
      {error === undefined ? <SkeletonLines count={2} /> : <ErrorNote error={error} />}
      {error !== undefined && (
        <Link to="/sign-in" search={{}} look="button">
          Back to the sign-in
        </Link>
      )}
    </Plain>
  );
}

function SignUp({ onDone }: { onDone: () => Promise<void> }) {
  const form = useForm({ defaultValues: { name: '' } });
  return (
    <Plain
      title="Welcome"
      about="There is no account of yours yet. After this you found an organization, or take an invitation into one."
    >
      <Form
        form={form}
        action="Create my account"
        onSubmit={async ({ name }) => {
          await signUp({ client: sluice, body: { name } });
          await onDone();
        }}
      >
        <FormText
          control={form.control}
          name="name"
          label="Your name"
          isRequired
          autoComplete="name"
          autoFocus
        />
      </Form>
    </Plain>
  );
}
