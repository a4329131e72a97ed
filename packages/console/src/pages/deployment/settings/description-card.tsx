import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { getDeployment, updateDeployment, type DeploymentDetail } from '@sluice/client';
import { sluice as client } from '../../../api/client.ts';
import { isChangedMeanwhile } from '@sluice/ui/lib/problems.ts';
import { contextQuery } from '../../../api/queries.ts';
import { versioned, type Versioned } from '../../../api/versions.ts';
import { applyLines } from '../../../lib/apply-lines.ts';
import { labelLines, labelsIn } from '../../../lib/labels.ts';
import { useAllowed } from '../../../parts/allowed.tsx';
import { AsCode } from '../../../parts/as-code.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Switch } from '@sluice/ui/field.tsx';
import { ChangedMeanwhile, Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { deploymentPath } from '../place.ts';
import { useDeployment } from '../deployment-context.ts';
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
  const { data: read } = useQuery({
    queryKey: ['edited', 'deployment', path.deployment_id],
    queryFn: () => versioned(getDeployment({ client, path })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Card title="Description">
      {read ? <DescriptionForm read={read} key={deployment.id} /> : <SkeletonLines count={6} />}
    </Card>
  );
}

function DescriptionForm({ read }: { read: Versioned<DeploymentDetail> }) {
  const open = useDeployment();
  const { path, place, names, words } = open;
  const { data: context } = useQuery(contextQuery(path.tenant_id));
  const { reason } = useAllowed('changeDeployment', place);
  const [base, setBase] = useState(read);
  const [theirs, setTheirs] = useState<Versioned<DeploymentDetail>>();
  const form = useForm<Values>({ defaultValues: valuesOf(read.value) });
  const values = form.watch();
  const body = bodyOf(values);
  const mayLower = context?.owner === true || !base.value.protected;

  const send = async (wanted: Values, against = base): Promise<void> => {
    const { wrong } = labelsIn(wanted.labels);
    if (wrong !== undefined) {
      form.setError('labels', { message: `'${wrong}' is not of the form key=value.` });
      return;
    }
    try {
      await updateDeployment({
        client,
        path,
        body: bodyOf(wanted),
        headers: { 'If-Match': against.version },
      });
    } catch (error) {
      if (!isChangedMeanwhile(error)) throw error;
      const now = await versioned(getDeployment({ client, path }));
      // its status alone is another's change as well, and concerns nobody here
      const isSame = JSON.stringify(valuesOf(now.value)) === JSON.stringify(valuesOf(against.value));
      if (isSame) return await send(wanted, now);
      setTheirs(now);
      return;
    }
    toast('The deployment is changed');
    await refresh(open);
    const now = await versioned(getDeployment({ client, path }));
    setBase(now);
    form.reset(valuesOf(now.value));
  };
  return (
    <>
      <Form
        form={form}
        onSubmit={(wanted) => send(wanted)}
        action="Save"
        disabledReason={reason}
        beside={
          <AsCode
            command={
              values.protected === base.value.protected
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
      {theirs && (
        <ChangedMeanwhile
          isOpen
          onOpenChange={(isOpen) => !isOpen && setTheirs(undefined)}
          theirs={bodyOf(valuesOf(theirs.value))}
          mine={body}
          onKeepTheirs={() => {
            setBase(theirs);
            form.reset(valuesOf(theirs.value));
            setTheirs(undefined);
          }}
          onSendMine={() => {
            setTheirs(undefined);
            void send(form.getValues(), theirs);
          }}
        />
      )}
    </>
  );
}
