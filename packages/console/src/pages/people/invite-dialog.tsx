import { useQuery } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { createInvitation } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { documentLines } from '@sluice/console-core/lib/apply-lines.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { refreshKinds, rolesQuery } from './queries.ts';
import { RolesField } from './roles-field.tsx';

interface Values {
  email: string;
  roles: number[];
}

/** Invites a person by mail, with the roles that they get. */
export function InviteDialog({ tenantId, onClose }: { tenantId: number; onClose: () => void }) {
  const { data: roles } = useQuery(rolesQuery(tenantId));
  const form = useForm<Values>({ defaultValues: { email: '', roles: [] } });
  const body = form.watch();
  const names = (roles?.items ?? []).filter(({ id }) => body.roles.includes(id)).map(({ name }) => name);
  return (
    <Dialog title="Invite a person" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Form
        form={form}
        action="Send the invitation"
        onSubmit={async (values) => {
          await createInvitation({ client, path: { tenant_id: tenantId }, body: values });
          toast(`${values.email} is invited`, 'The invitation can be accepted for seven days.');
          onClose();
          await refreshKinds(tenantId, 'invitation', 'limits');
        }}
        beside={
          <AsCode
            command={[
              ...['invitations', 'create', body.email || 'EMAIL'],
              ...(names.length > 0 ? ['--roles', names.join(',')] : []),
            ]}
            request={{ method: 'POST', path: `/tenants/${tenantId}/invitations`, body }}
            apply={documentLines('members', [{ email: body.email || 'EMAIL', roles: names }])}
          />
        }
      >
        <FormText
          control={form.control}
          name="email"
          label="Address"
          description="They get a mail, and become a member when they accept it."
          type="email"
          isRequired
          autoFocus
        />
        <Controller
          control={form.control}
          name="roles"
          render={({ field: { value, onChange } }) => (
            <RolesField roles={roles?.items ?? []} value={value} onChange={onChange} />
          )}
        />
      </Form>
    </Dialog>
  );
}
