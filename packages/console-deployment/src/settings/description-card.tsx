import { useQuery } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { getDeployment, updateDeployment, type DeploymentDetail } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { contextQuery } from '@sluice/console-core/api/queries.ts';
import { versioned, type Versioned } from '@sluice/console-core/api/versions.ts';
import { applyLines } from '@sluice/console-core/lib/apply-lines.ts';
import { labelLines, labelsIn } from '@sluice/console-core/lib/labels.ts';
import { useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { EditedForm } from '@sluice/console-core/parts/edited-form.tsx';
import { useMeanwhile } from '@sluice/console-core/parts/meanwhile.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { Switch } from '@sluice/ui/field.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { deploymentPath } from '../place.ts';
import { useDeployment, type OpenDeployment } from '../deployment-context.ts';
import { refresh } from '../queries.ts';
import styles from './settings.module.css';

interface Values {
  description: string;
  labels: string;
  protected: boolean;
}

const valuesOf = ({ description, labels, protected: isProtected }: DeploymentDetail): Values => ({
  description: description ?? '',
  labels: labelLines(labels),
  protected: isProtected,
});

const bodyOf = ({ description, labels, protected: isProtected }: Values) => ({
  description: description.trim() === '' ? null : description.trim(),
  labels: labelsIn(labels).labels,
  protected: isProtected,
});

/** Description, labels and protection. */
export function DescriptionCard() {
  const { path, deployment } = useDeployment();
  return (
    <Card title="Description">
      <EditedForm of={['deployment', path.deployment_id]} read={readDeployment(path)}>
        {(first) => <DescriptionForm first={first} key={deployment.id} />}
      </EditedForm>
    </Card>
  );
}

const readDeployment = (path: OpenDeployment['path']) => () => versioned(getDeployment({ client, path }));

function DescriptionForm({ first }: { first: Versioned<DeploymentDetail> }) {
  const open = useDeployment();
  const { path, place, names, words } = open;
  const { data: context } = useQuery(contextQuery(path.tenant_id));
  const { reason } = useAllowed('changeDeployment', place);
  const form = useForm<Values>({ defaultValues: valuesOf(first.value) });
  const values = form.watch();
  const body = bodyOf(values);
  const { base, send, takeNow, dialog } = useMeanwhile({
    first,
    read: readDeployment(path),
    // its status alone is another's change as well
    shown: (one) => bodyOf(valuesOf(one)),
    mine: body,
    put: (now) => form.reset(valuesOf(now)),
  });
  const mayLower = context?.owner === true || !base.protected;

  const save = async (wanted: Values): Promise<void> => {
    const { wrong } = labelsIn(wanted.labels);
    if (wrong !== undefined) {
      form.setError('labels', { message: `'${wrong}' is not of the form key=value.` });
      return;
    }
    await send(async (version) => {
      await updateDeployment({ client, path, body: bodyOf(wanted), headers: { 'If-Match': version } });
      toast('The deployment is changed');
      await refresh(open);
      await takeNow();
    });
  };
  return (
    <>
      <Form
        form={form}
        onSubmit={save}
        action="Save"
        disabledReason={reason}
        beside={
          <AsCode
            command={
              values.protected === base.protected
                ? ['deployments', 'describe', words, body.description ?? undefined]
                : ['deployments', 'protect', words, !values.protected && '--off']
            }
            request={{ method: 'PUT', path: deploymentPath(path), body }}
            apply={applyLines(names, body)}
          />
        }
      >
        <FormText control={form.control} name="description" label="Description" rows={2} />
        <FormText
          control={form.control}
          name="labels"
          label="Labels"
          description="One per line, such as team=payments"
          isMono
          rows={3}
        />
        <Controller
          control={form.control}
          name="protected"
          render={({ field: { value, onChange } }) => (
            <div>
              <Switch isSelected={value} onChange={onChange} isDisabled={value && !mayLower}>
                Protected
              </Switch>
              <p className={styles.small}>
                Its deletion needs a one-time code that the owner of the organization gets.
                {!mayLower && ' Only the owner can lower the protection.'}
              </p>
            </div>
          )}
        />
      </Form>
      {dialog}
    </>
  );
}
