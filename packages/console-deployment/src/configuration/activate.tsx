import { useForm } from 'react-hook-form';
import { activateConfig, deleteConfig, type Config } from '@sluice/client';
import { valuesText } from '@sluice/console-core/lib/config-values.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Diff } from '@sluice/ui/code.tsx';
import { ConfirmDialog, Dialog } from '@sluice/ui/dialog.tsx';
import { Form } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { useDeployment } from '../deployment-context.ts';
import { refresh } from '../queries.ts';
import { brokerKind, kindFlag, titleOf } from './kinds.ts';

interface VersionDialogProps {
  config: Config;
  onClose: () => void;
}

/** Shows what activating a version changes, and activates it. The active one is only checked again. */
export function ActivateDialog({
  config,
  active,
  onClose,
}: VersionDialogProps & { active: Config | undefined }) {
  const open = useDeployment();
  const { supervisor: client, path, words } = open;
  const { kind: config_kind, name: config_name, version } = config;
  const form = useForm({ defaultValues: {} });
  const isAgain = active?.id === config.id;
  return (
    <Dialog
      title={isAgain ? `Check ${titleOf(config)} again` : `Activate ${titleOf(config)}`}
      wide
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Form
        form={form}
        action={isAgain ? 'Check again' : 'Activate'}
        onSubmit={async () => {
          const { deployment_id } = path;
          await activateConfig({
            client,
            path: { deployment_id, config_kind, config_name, version: String(version) },
          });
          toast(isAgain ? `${titleOf(config)} is valid` : `${titleOf(config)} is active`);
          onClose();
          await refresh(open, 'config');
        }}
        beside={
          <AsCode
            command={['configs', 'activate', titleOf(config), words, ...kindFlag(config_kind)]}
            request={{
              method: 'PUT',
              path: `/deployments/${path.deployment_id}/configs/${config_kind}/${config_name}/activate/${version}`,
              layer: 'supervisor',
            }}
          />
        }
      >
        {isAgain ? (
          <p>It is checked for the version of the runtime that is installed now. Its values stay.</p>
        ) : (
          <>
            <Diff
              label="The active values and those of this version"
              language="json"
              before={valuesText(active?.values ?? {})}
              after={valuesText(config.values)}
            />
            <p>
              {config_kind === brokerKind
                ? 'Nodes take it up with the next reconfiguration, which restarts the broker where that is needed.'
                : 'Nodes take it up at once.'}
            </p>
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** Compares a version with the active one. */
export function CompareDialog({
  config,
  active,
  onClose,
}: VersionDialogProps & { active: Config | undefined }) {
  return (
    <Dialog
      title={active ? `${titleOf(active)} and ${titleOf(config)}` : titleOf(config)}
      wide
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <p>Lines of {titleOf(config)} that differ from what is active are marked.</p>
      <Diff
        label="The two versions"
        language="json"
        before={valuesText(active?.values ?? {})}
        after={valuesText(config.values)}
      />
    </Dialog>
  );
}

export function DeleteVersion({ config, onClose }: VersionDialogProps) {
  const open = useDeployment();
  const { kind: config_kind, id: config_id } = config;
  return (
    <ConfirmDialog
      title={`Delete ${titleOf(config)}`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      action="Delete"
      name={titleOf(config)}
      onConfirm={async () => {
        const { deployment_id } = open.path;
        await deleteConfig({ client: open.supervisor, path: { deployment_id, config_kind, config_id } });
        toast(`${titleOf(config)} is deleted`);
        await refresh(open, 'config');
      }}
    >
      This version cannot be activated any more.
    </ConfirmDialog>
  );
}
