import { deleteMember, type Member } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { refreshKinds } from './queries.ts';

/** Asks before a member is removed. */
export function RemoveMember({
  tenantId,
  member: { id, name, email },
  onClose,
  onRemoved,
}: {
  tenantId: number;
  member: Member;
  onClose: () => void;
  onRemoved?: () => void;
}) {
  return (
    <ConfirmDialog
      title={`Remove ${name}`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      action="Remove"
      name={email}
      onConfirm={async () => {
        await deleteMember({ client, path: { tenant_id: tenantId, member_id: id } });
        toast(`${name} is not a member any more`);
        onRemoved?.();
        await refreshKinds(tenantId, 'member', 'api_key', 'limits');
      }}
    >
      <p>
        Their roles and the API keys that act as them go as well. Programs that use these keys are refused at
        once.
      </p>
      <AsCode
        command={['members', 'remove', email]}
        request={{ method: 'DELETE', path: `/tenants/${tenantId}/members/${id}` }}
      />
    </ConfirmDialog>
  );
}
