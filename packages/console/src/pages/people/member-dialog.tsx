import { useQuery } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { updateMember, type Member } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { documentLines } from '@sluice/console-core/lib/apply-lines.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Switch } from '@sluice/ui/field.tsx';
import { Form } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { DryRun } from './dry-run.tsx';
import { memberChanges } from './member-changes.ts';
import { refreshKinds, rolesQuery } from './queries.ts';
import { RolesField } from './roles-field.tsx';

interface Values {
  active: boolean;
  roles: number[];
}

/** Changes the roles of a member and whether they get in. It says before what would be different. */
export function MemberDialog({
  tenantId,
  member,
  onClose,
}: {
  tenantId: number;
  member: Member;
  onClose: () => void;
}) {
  const { data: roles } = useQuery(rolesQuery(tenantId));
  const form = useForm<Values>({ defaultValues: { active: member.active, roles: member.role_ids } });
  const values = form.watch();
  const body = memberChanges(member, values);
  const names = (roles?.items ?? []).filter(({ id }) => values.roles.includes(id)).map(({ name }) => name);
  return (
    <Dialog title={member.name} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Form
        form={form}
        action="Save"
        disabledReason={Object.keys(body).length === 0 ? 'Nothing is changed yet.' : undefined}
        onSubmit={async (wanted) => {
          await updateMember({
            client,
            path: { tenant_id: tenantId, member_id: member.id },
            body: memberChanges(member, wanted),
          });
          toast(`${member.name} is changed`, 'Every API decides by it already.');
          onClose();
          await refreshKinds(tenantId, 'member');
        }}
        beside={
          <AsCode
            command={[
              ...['members', 'edit', member.email],
              ...(body.roles ? (names.length > 0 ? ['--roles', names.join(',')] : ['--no-roles']) : []),
              body.active !== undefined && (body.active ? '--active' : '--no-active'),
            ]}
            request={{ method: 'PUT', path: `/tenants/${tenantId}/members/${member.id}`, body }}
            apply={documentLines('members', [{ email: member.email, roles: names, active: values.active }])}
          />
        }
      >
        {roles ? (
          <Controller
            control={form.control}
            name="roles"
            render={({ field: { value, onChange } }) => (
              <RolesField roles={roles.items} value={value} onChange={onChange} />
            )}
          />
        ) : (
          <SkeletonLines count={4} />
        )}
        <Controller
          control={form.control}
          name="active"
          render={({ field: { value, onChange } }) => (
            <div>
              <Switch isSelected={value} onChange={onChange}>
                Access
              </Switch>
              <p className={layout.muted}>
                Without it their sessions and keys are refused, and their roles are kept.
              </p>
            </div>
          )}
        />
        {body.roles && (
          <DryRun
            tenantId={tenantId}
            input={{ member: member.id, roles: body.roles }}
            title={`With these roles ${member.name}`}
          />
        )}
      </Form>
    </Dialog>
  );
}
