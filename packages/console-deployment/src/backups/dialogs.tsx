import { useForm } from 'react-hook-form';
import { createBackup, deleteBackup, restoreBackup, type Backup } from '@sluice/client';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Time } from '@sluice/ui/data.tsx';
import { ConfirmDialog, Dialog } from '@sluice/ui/dialog.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { useDeployment } from '../deployment-context.ts';
import { refresh } from '../queries.ts';

/** Takes a backup now. */
export function CreateBackup({ onClose }: { onClose: () => void }) {
  const open = useDeployment();
  const { supervisor: client, path, words } = open;
  const { deployment_id } = path;
  const form = useForm({ defaultValues: { name: '', remarks: '', expires_in_days: '' } });
  const bodyOf = ({ name, remarks, expires_in_days: days }: typeof given) => ({
    name: name.trim(),
    ...(remarks.trim() !== '' && { remarks: remarks.trim() }),
    ...(days.trim() !== '' && { expires_in_days: Number(days) }),
  });
  const given = form.watch();
  const body = bodyOf(given);
  return (
    <Dialog title="New backup" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Form
        form={form}
        action="Back up"
        onSubmit={async (values) => {
          const sent = bodyOf(values);
          if (sent.expires_in_days !== undefined && !Number.isSafeInteger(sent.expires_in_days)) {
            form.setError('expires_in_days', { message: 'A whole number of days.' });
            return;
          }
          await createBackup({ client, path: { deployment_id }, body: sent });
          toast('The backup has begun');
          onClose();
          await refresh(open, 'backup');
        }}
        beside={
          <AsCode
            command={[
              ...['backups', 'create', body.name, words],
              ...(body.remarks === undefined ? [] : ['--remarks', body.remarks]),
              ...(body.expires_in_days === undefined ? [] : ['--expires-in', `${body.expires_in_days}d`]),
            ]}
            request={{
              method: 'POST',
              path: `/deployments/${deployment_id}/backups`,
              body,
              layer: 'supervisor',
            }}
          />
        }
      >
        <p>The brokers are stopped while their volumes are copied, which takes a moment, and start again.</p>
        <FormText control={form.control} name="name" label="Name" isRequired autoFocus />
        <FormText control={form.control} name="remarks" label="Remarks" />
        <FormText
          control={form.control}
          name="expires_in_days"
          label="Deleted after"
          description="Days; as many as the plan allows when empty"
          inputMode="numeric"
        />
      </Form>
    </Dialog>
  );
}

interface BackupDialogProps {
  backup: Backup;
  onClose: () => void;
}

/** Goes back to a backup. What was written since is lost, so the name of the deployment is asked for. */
export function RestoreBackup({ backup, onClose }: BackupDialogProps) {
  const open = useDeployment();
  const { supervisor: client, path, deployment, words } = open;
  const { deployment_id } = path;
  return (
    <ConfirmDialog
      title={`Restore ${deployment.name} from ${backup.name}`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      action="Restore"
      name={deployment.name}
      onConfirm={async () => {
        await restoreBackup({ client, path: { deployment_id, backup_id: backup.id } });
        toast('The restore has begun', 'The status of the deployment says how far it is.');
        await Promise.all([refresh(open, 'backup'), refresh(open)]);
      }}
    >
      <p>
        What the brokers store is replaced by what they had <Time at={backup.completed_at} />. Messages that
        came since are lost. The brokers are stopped meanwhile. If anything goes wrong, the deployment keeps
        what it has.
      </p>
      <AsCode
        command={['backups', 'restore', backup.name, words]}
        request={{
          method: 'POST',
          path: `/deployments/${deployment_id}/backups/${backup.id}/restore`,
          layer: 'supervisor',
        }}
      />
    </ConfirmDialog>
  );
}

export function DeleteBackup({ backup, onClose }: BackupDialogProps) {
  const open = useDeployment();
  const { supervisor: client, path, words } = open;
  const { deployment_id } = path;
  return (
    <ConfirmDialog
      title={`Delete ${backup.name}`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      action="Delete"
      name={backup.name}
      onConfirm={async () => {
        await deleteBackup({ client, path: { deployment_id, backup_id: backup.id } });
        toast(`${backup.name} is being deleted`);
        await refresh(open, 'backup');
      }}
    >
      <p>Its copies are deleted. The deployment cannot be restored from it any more.</p>
      <AsCode
        command={['backups', 'delete', backup.name, words]}
        request={{
          method: 'DELETE',
          path: `/deployments/${deployment_id}/backups/${backup.id}`,
          layer: 'supervisor',
        }}
      />
    </ConfirmDialog>
  );
}
