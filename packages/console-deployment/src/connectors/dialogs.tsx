import { useForm } from 'react-hook-form';
import { activateConnector, deleteConnectorInstance, type Connector } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { ConfirmDialog, Dialog } from '@sluice/ui/dialog.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { useDeployment, type OpenDeployment } from '../deployment-context.ts';
import { deploymentPath } from '../place.ts';
import { refresh } from '../queries.ts';
import type { Instance } from './instances.ts';

/** Reads again what the Main API and the region say. */
const refreshAll = (open: OpenDeployment) =>
  Promise.all([
    refresh(open, 'connector'),
    queryClient.invalidateQueries({ queryKey: keyOf('main', open.path.tenant_id, 'connector') }),
  ]);

/** Makes an instance of a connector, switched off until it is configured. */
export function ActivateConnector({ connector, onClose }: { connector: Connector; onClose: () => void }) {
  const open = useDeployment();
  const { path, words } = open;
  const form = useForm({ defaultValues: { instance_name: connector.name, instance_key: '' } });
  const { instance_name: name, instance_key: key } = form.watch();
  const body = {
    connector_key: connector.key,
    connector_type: connector.type,
    ...(name.trim() !== '' && { instance_name: name.trim() }),
    ...(key.trim() !== '' && { instance_key: key.trim() }),
  };
  return (
    <Dialog title={`Activate ${connector.name}`} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Form
        form={form}
        action="Activate"
        onSubmit={async () => {
          await activateConnector({ client, path, body });
          toast(`${connector.name} is activated`, 'It works once it is configured.');
          onClose();
          await refreshAll(open);
        }}
        beside={
          <AsCode
            command={[
              ...['connectors', 'activate', `${connector.type}/${connector.key}`, words],
              ...(body.instance_name === undefined ? [] : ['--name', body.instance_name]),
              ...(body.instance_key === undefined ? [] : ['--key', body.instance_key]),
            ]}
            request={{ method: 'POST', path: `${deploymentPath(path)}/connectors/activate`, body }}
          />
        }
      >
        <p>{connector.description}. It is switched off until it is configured.</p>
        <FormText control={form.control} name="instance_name" label="Name" autoFocus />
        <FormText
          control={form.control}
          name="instance_key"
          label="Key"
          description="What commands and configurations call it by; one is made up when empty"
          isMono
        />
      </Form>
    </Dialog>
  );
}

/** Takes an instance from all nodes. */
export function DeleteConnector({ instance, onClose }: { instance: Instance; onClose: () => void }) {
  const open = useDeployment();
  const { supervisor, path, words } = open;
  const { deployment_id } = path;
  return (
    <ConfirmDialog
      title={`Delete ${instance.name}`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      action="Delete"
      name={instance.key}
      onConfirm={async () => {
        await deleteConnectorInstance({
          client: supervisor,
          path: { deployment_id, instance_id: instance.id },
        });
        toast(`${instance.name} is deleted`);
        await refreshAll(open);
      }}
    >
      <p>It leaves all nodes, and its configurations are deleted. Messages in streams stay.</p>
      <AsCode
        command={['connectors', 'delete', instance.key, words]}
        request={{
          method: 'DELETE',
          path: `/deployments/${deployment_id}/connectors/instances/${instance.id}`,
          layer: 'supervisor',
        }}
      />
    </ConfirmDialog>
  );
}
