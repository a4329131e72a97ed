import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { acceptInvitation, createTenant, rejectInvitation, type OwnInvitation } from '@sluice/client';
import { sluice } from '@sluice/console-core/api/client.ts';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { ownInvitationsQuery, ownTenantsQuery } from '@sluice/console-core/api/queries.ts';
import { Plain } from '../../layout/plain.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { ErrorNote, ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Tag } from '@sluice/ui/status.tsx';
import layout from '@sluice/ui/layout.module.css';
import styles from './sign-in.module.css';

/** The person's organizations and invitations, and a new organization. */
export function OrganizationsPage() {
  const tenants = useQuery(ownTenantsQuery);
  const invitations = useQuery(ownInvitationsQuery);
  const open = invitations.data?.filter(({ status }) => status === 'pending') ?? [];
  return (
    <Plain title="Organizations" about="Where you are a member, and where you are invited to.">
      {tenants.error && !tenants.data && (
        <ErrorState error={tenants.error} onRetry={() => void tenants.refetch()} />
      )}
      {tenants.isPending && <SkeletonLines count={3} />}
      {tenants.data && tenants.data.items.length > 0 && (
        <ul className={styles.card}>
          {tenants.data.items.map(({ id, name, owner, active }) => (
            <li key={id}>
              {active ? (
                <Link to="/t/$tenantId" params={{ tenantId: id }}>
                  {name}
                </Link>
              ) : (
                name
              )}
              <Tag>{!active ? 'inactive' : owner ? 'owner' : 'member'}</Tag>
            </li>
          ))}
        </ul>
      )}
      {open.length > 0 && (
        <section className={layout.tightStack}>
          <h2>Invitations</h2>
          <ul className={styles.card}>
            {open.map((invitation) => (
              <Invitation key={invitation.id} invitation={invitation} />
            ))}
          </ul>
        </section>
      )}
      <NewOrganization />
    </Plain>
  );
}

function Invitation({ invitation: { id, tenant, roles, invited_by: by } }: { invitation: OwnInvitation }) {
  const navigate = useNavigate();
  const path = { invitation_id: id };
  const answer = useMutation({
    mutationFn: async (isAccepted: boolean) => {
      await (isAccepted ? acceptInvitation : rejectInvitation)({ client: sluice, path });
      await queryClient.invalidateQueries({ queryKey: ['main', null] });
      if (isAccepted) await navigate({ to: '/t/$tenantId', params: { tenantId: tenant.id } });
    },
  });
  return (
    <li>
      <div>
        {tenant.name}
        <p className={styles.small}>
          {by.name} invites you as {roles.join(', ') || 'a member'}.
        </p>
        {answer.error && <ErrorNote error={answer.error} />}
      </div>
      <span className={styles.buttons}>
        <Button size="small" onPress={() => answer.mutate(false)} isDisabled={answer.isPending}>
          Decline
        </Button>
        <Button size="small" kind="primary" onPress={() => answer.mutate(true)} isPending={answer.isPending}>
          Join
        </Button>
      </span>
    </li>
  );
}

function NewOrganization() {
  const form = useForm({ defaultValues: { name: '' } });
  const navigate = useNavigate();
  return (
    <section className={layout.tightStack}>
      <h2>New organization</h2>
      <Form
        form={form}
        action="Create the organization"
        onSubmit={async ({ name }) => {
          const { data } = await createTenant({ client: sluice, body: { name } });
          await queryClient.invalidateQueries({ queryKey: ['main', null] });
          await navigate({ to: '/t/$tenantId', params: { tenantId: data.id } });
        }}
      >
        <FormText control={form.control} name="name" label="Name" isRequired autoComplete="organization" />
      </Form>
    </section>
  );
}
