import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { assignRole } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { accountQuery, membersQuery } from '@sluice/console-core/api/queries.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { ComboBox } from '@sluice/ui/choice.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { Form } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { DryRun } from '../people/dry-run.tsx';
import { refreshKinds } from '../people/queries.ts';

/** Gives a role to a member, after what they could do in addition. */
export function GiveRole({
  tenantId,
  roleId,
  name,
  onClose,
}: {
  tenantId: number;
  roleId: number;
  name: string;
  onClose: () => void;
}) {
  const { data: members } = useQuery(membersQuery(tenantId));
  const { data: account } = useQuery(accountQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const form = useForm();
  const others = (members?.items ?? []).filter(
    ({ id, role_ids }) => id !== account?.id && !role_ids.includes(roleId),
  );
  const member = others.find(({ id }) => String(id) === chosen);
  const body = { members: member ? [member.id] : [] };
  return (
    <Dialog title={`Give the role ${name}`} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Form
        form={form}
        action="Give it"
        disabledReason={member ? undefined : 'Choose a member first.'}
        onSubmit={async () => {
          await assignRole({ client, path: { tenant_id: tenantId, role_id: roleId }, body });
          toast(`${member?.name ?? 'The member'} has ${name}`);
          onClose();
          await refreshKinds(tenantId, 'member');
        }}
        beside={
          <AsCode
            command={['roles', 'assign', name, member?.email ?? 'MEMBER']}
            request={{
              method: 'PUT',
              path: `/tenants/${tenantId}/roles/${roleId}/members/assign`,
              body,
            }}
          />
        }
      >
        <ComboBox
          label="Member"
          options={others.map(({ id, name: label, email }) => ({ key: String(id), label, note: email }))}
          value={chosen}
          onChange={setChosen}
        />
        {member && (
          <DryRun
            tenantId={tenantId}
            input={{ member: member.id, roles: [...member.role_ids, roleId] }}
            title={`With this role ${member.name}`}
          />
        )}
      </Form>
    </Dialog>
  );
}
