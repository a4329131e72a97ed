import { Controller, useForm } from 'react-hook-form';
import { createSnapshot, deleteSnapshot, type Snapshot } from '@sluice/client';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { ConfirmDialog, Dialog } from '@sluice/ui/dialog.tsx';
import { Checkbox } from '@sluice/ui/field.tsx';
import { Form } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { useDeployment } from '../deployment-context.ts';
import { refresh } from '../queries.ts';

/** Has all nodes examined. */
export function CreateSnapshot({ onClose }: { onClose: () => void }) {
  const open = useDeployment();
  const { deployment_id } = open.path;
  const form = useForm({ defaultValues: { redact_secrets: true, include_broker: false } });
  const body = form.watch();
  return (
    <Dialog title="Examine the nodes" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Form
        form={form}
        action="Examine"
        onSubmit={async (values) => {
          await createSnapshot({ client: open.supervisor, path: { deployment_id }, body: values });
          toast('The nodes are being examined');
          onClose();
          await refresh(open, 'snapshot');
        }}
        beside={
          <AsCode
            command={[
              ...['snapshots', 'create', open.words],
              !body.redact_secrets && '--no-redact-secrets',
              !body.include_broker && '--no-include-broker',
            ]}
            request={{
              method: 'POST',
              path: `/deployments/${deployment_id}/snapshots`,
              body,
              layer: 'supervisor',
            }}
          />
        }
      >
        <p>Every node makes its checks, which takes seconds. Clients notice nothing of it.</p>
        <Controller
          control={form.control}
          name="redact_secrets"
          render={({ field: { value, onChange } }) => (
            <Checkbox isSelected={value} onChange={onChange}>
              Take out what looks like a secret
            </Checkbox>
          )}
        />
        <Controller
          control={form.control}
          name="include_broker"
          render={({ field: { value, onChange } }) => (
            <Checkbox isSelected={value} onChange={onChange}>
              Include what the broker stores, messages as well
            </Checkbox>
          )}
        />
      </Form>
    </Dialog>
  );
}

export function DeleteSnapshot({ snapshot, onClose }: { snapshot: Snapshot; onClose: () => void }) {
  const open = useDeployment();
  const { deployment_id } = open.path;
  return (
    <ConfirmDialog
      title="Delete the report"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      action="Delete"
      onConfirm={async () => {
        await deleteSnapshot({ client: open.supervisor, path: { deployment_id, snapshot_id: snapshot.id } });
        toast('The report is deleted');
        await refresh(open, 'snapshot');
      }}
    >
      <p>{snapshot.name} is deleted. The reports of other nodes stay.</p>
    </ConfirmDialog>
  );
}
