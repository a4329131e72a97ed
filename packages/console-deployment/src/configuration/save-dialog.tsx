import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { createConfig, getConfigVersion, listConfigsOfKind, type Config } from '@sluice/client';
import { isChangedMeanwhile } from '@sluice/ui/lib/problems.ts';
import { versioned, type Versioned } from '@sluice/console-core/api/versions.ts';
import { valuesText, type ConfigValues } from '@sluice/console-core/lib/config-values.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Diff } from '@sluice/ui/code.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { Checkbox } from '@sluice/ui/field.tsx';
import { ChangedMeanwhile, Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { useDeployment } from '../deployment-context.ts';
import { refresh } from '../queries.ts';
import { brokerKind, kindFlag } from './kinds.ts';

interface SaveDialogProps {
  kind: string;
  base: Config | undefined;
  values: ConfigValues;
  onClose: () => void;
  onSaved: (saved: Config) => void;
  onRefused: (error: unknown) => void;
}

/** Shows what changes, and stores it as a new version. A version that was stored meanwhile is shown beside it. */
export function SaveDialog({ kind, base, values, onClose, onSaved, onRefused }: SaveDialogProps) {
  const open = useDeployment();
  const { supervisor: client, path, words } = open;
  const { deployment_id } = path;
  const ofKind = { deployment_id, config_kind: kind };
  const form = useForm({ defaultValues: { name: base?.name ?? kind, activate: base === undefined } });
  const [theirs, setTheirs] = useState<Versioned<Config>>();
  const { name, activate } = form.watch();

  const newestOf = async (config_name: string) => {
    const { data } = await listConfigsOfKind({ client, path: ofKind });
    const versions = data.filter((one) => one.name === config_name).map(({ version }) => version);
    if (versions.length === 0) return undefined;
    const at = { ...ofKind, config_name, version: String(Math.max(...versions)) };
    return versioned(getConfigVersion({ client, path: at }));
  };
  const send = async (given: { name: string; activate: boolean }, match?: string) => {
    const body = { name: given.name, values, activate: given.activate };
    try {
      const newest = match === undefined ? await newestOf(given.name) : undefined;
      if (
        newest &&
        base?.name === given.name &&
        newest.value.id !== base.id &&
        newest.value.version > base.version
      ) {
        setTheirs(newest);
        return;
      }
      const version = match ?? newest?.version;
      const { data } = await createConfig({
        client,
        path: ofKind,
        body,
        ...(version !== undefined && { headers: { 'If-Match': version } }),
      });
      toast(
        `Version ${data.version} of ${data.name} is stored`,
        given.activate ? 'It is active.' : undefined,
      );
      await refresh(open, 'config');
      onSaved(data);
    } catch (error) {
      onRefused(error);
      if (!isChangedMeanwhile(error)) throw error;
      setTheirs(await newestOf(given.name));
    }
  };
  return (
    <>
      <Dialog title="What changes" wide isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
        <Form
          form={form}
          action={activate ? 'Store and activate' : 'Store'}
          onSubmit={(given) => send(given)}
          beside={
            <AsCode
              command={[
                ...['configs', 'edit', name, words, ...kindFlag(kind), '--file', 'values.json'],
                activate && '--activate',
              ]}
              request={{
                method: 'POST',
                path: `/deployments/${deployment_id}/configs/${kind}`,
                body: { name, values, activate },
                layer: 'supervisor',
              }}
            />
          }
        >
          <Diff
            label="The values before and after"
            language="json"
            before={valuesText(base?.values ?? {})}
            after={valuesText(values)}
          />
          <FormText
            control={form.control}
            name="name"
            label="Name"
            description="A name that there is gets a new version."
            isRequired
          />
          <Controller
            control={form.control}
            name="activate"
            render={({ field: { value, onChange } }) => (
              <Checkbox isSelected={value} onChange={onChange}>
                {kind === brokerKind
                  ? 'Activate it. Nodes take it up with the next reconfiguration.'
                  : 'Activate it. Nodes take it up at once.'}
              </Checkbox>
            )}
          />
        </Form>
      </Dialog>
      {theirs && (
        <ChangedMeanwhile
          isOpen
          onOpenChange={(isOpen) => !isOpen && setTheirs(undefined)}
          theirs={theirs.value.values}
          mine={values}
          onKeepTheirs={() => onSaved(theirs.value)}
          onSendMine={() => {
            const match = theirs.version;
            setTheirs(undefined);
            void form.handleSubmit((given) => send(given, match).catch(() => undefined))();
          }}
        />
      )}
    </>
  );
}
