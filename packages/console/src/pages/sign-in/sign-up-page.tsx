import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useForm, useWatch } from 'react-hook-form';
import { signUp } from '@sluice/client';
import { forgetSession, sluice } from '@sluice/console-core/api/client.ts';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { invitationsPath, isInvited, safePath } from '@sluice/console-core/api/sign-in.ts';
import { Plain } from '../../layout/plain.tsx';
import { Checkbox } from '@sluice/ui/field.tsx';
import { Note } from '@sluice/ui/feedback.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';

const route = getRouteApi('/sign-up');

/** An account for whom an identity provider has confirmed, with an organization of their own or on the way to one that exists. */
export function SignUpPage() {
  const { return_to: returnTo } = route.useSearch();
  const path = safePath(returnTo);
  const navigate = useNavigate();
  const form = useForm({ defaultValues: { name: '', founds: !isInvited(path), tenant: { name: '' } } });
  const founds = useWatch({ control: form.control, name: 'founds' });
  return (
    <Plain title="Welcome" about="You are known to your identity provider, and have no account here yet.">
      <Form
        form={form}
        action="Create my account"
        beside={
          <Link to="/sign-in" search={returnTo === undefined ? {} : { return_to: returnTo }} look="button">
            Back
          </Link>
        }
        onSubmit={async ({ name, founds: isFounder, tenant }) => {
          await signUp({ client: sluice, body: { name, ...(isFounder && { tenant }) } });
          forgetSession();
          queryClient.clear();
          await navigate({ href: isFounder || path !== '/' ? path : invitationsPath, replace: true });
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
        <Checkbox isSelected={founds} onChange={(isSelected) => form.setValue('founds', isSelected)}>
          Found an organization
        </Checkbox>
        {founds ? (
          <FormText
            control={form.control}
            name="tenant.name"
            label="Name of the organization"
            isRequired
            autoComplete="organization"
          />
        ) : (
          <Note>
            Invitations to your address come next. If your address belongs to the domain of an organization,
            it lets you in or gets your request to join, as it has chosen.
          </Note>
        )}
      </Form>
    </Plain>
  );
}
