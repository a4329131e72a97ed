import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { decideDeviceSignIn, type DeviceDecision, type GetDeviceSignInResponse } from '@sluice/client';
import { sluice } from '@sluice/console-core/api/client.ts';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { accountQuery } from '@sluice/console-core/api/queries.ts';
import { terminalQuery } from '@sluice/console-core/api/sign-in.ts';
import { Plain } from '../../layout/plain.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { Card, DescriptionList, Time } from '@sluice/ui/data.tsx';
import { ErrorNote, Note, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import styles from './sign-in.module.css';

const route = getRouteApi('/account/device');

/** Approves or denies a terminal that shows a code. */
export function TerminalPage() {
  const { user_code: code } = route.useSearch();
  // who is not signed in is led to the sign-in and back
  const account = useQuery(accountQuery);
  const terminal = useQuery({ ...terminalQuery(code ?? ''), enabled: code !== undefined });
  const isWrong = terminal.error !== null;
  return (
    <Plain title="Sign in a terminal" about={account.data && `It will be signed in as ${account.data.name}.`}>
      {account.error && <ErrorNote error={account.error} onRetry={() => void account.refetch()} />}
      {isWrong && <ErrorNote error={terminal.error} />}
      {account.data && (code === undefined || isWrong) && <CodeForm key={code} code={code} />}
      {code !== undefined && !terminal.data && !isWrong && <SkeletonLines count={4} />}
      {terminal.data && <Terminal terminal={terminal.data} />}
    </Plain>
  );
}

function CodeForm({ code = '' }: { code: string | undefined }) {
  const form = useForm({ defaultValues: { user_code: code } });
  const navigate = useNavigate();
  return (
    <Form
      form={form}
      action="Continue"
      onSubmit={async ({ user_code }) => {
        await navigate({ to: '/account/device', search: { user_code: user_code.trim() }, replace: true });
      }}
    >
      <FormText
        control={form.control}
        name="user_code"
        label="Code"
        description="As the terminal shows it."
        isRequired
        isMono
        autoFocus
        autoComplete="off"
        maxLength={40}
      />
    </Form>
  );
}

function Terminal({ terminal }: { terminal: GetDeviceSignInResponse }) {
  const { user_code, machine, address, created_at: at, decision } = terminal;
  const decide = useMutation({
    mutationFn: async (body: DeviceDecision) => {
      await decideDeviceSignIn({ client: sluice, path: { user_code }, body });
      await queryClient.invalidateQueries({ queryKey: ['main', null, 'terminal'] });
    },
  });
  if (decision !== null)
    return (
      <Note>
        {decision === 'approve'
          ? `${machine} is signed in. You can close this page, and end its session in your account.`
          : `${machine} was denied. You can close this page.`}
      </Note>
    );
  return (
    <>
      <Card title="A terminal asks to be signed in">
        <DescriptionList
          items={[
            [
              'Code',
              <code key="code" className={styles.code}>
                {user_code}
              </code>,
            ],
            ['Calls itself', machine],
            ['Address', address ?? 'unknown'],
            ['Since', <Time key="since" at={at} />],
          ]}
        />
      </Card>
      <p className={styles.small}>
        Approve it only if you have just begun this yourself and your terminal shows the same code. It can do
        what you can do, until you end its session.
      </p>
      {decide.error && <ErrorNote error={decide.error} />}
      <div className={styles.decision}>
        <Button onPress={() => decide.mutate({ decision: 'deny' })} isDisabled={decide.isPending}>
          Deny
        </Button>
        <Button
          kind="primary"
          onPress={() => decide.mutate({ decision: 'approve' })}
          isPending={decide.isPending}
        >
          Approve
        </Button>
      </div>
    </>
  );
}
