import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { createAccessRule, getAccessRule, replaceAccessRule, type AccessRule } from '@sluice/client';
import { isChangedMeanwhile } from '@sluice/ui/lib/problems.ts';
import { versioned, type Versioned } from '@sluice/console-core/api/versions.ts';
import { applyLines } from '@sluice/console-core/lib/apply-lines.ts';
import { cutBy } from '@sluice/console-core/lib/access.ts';
import { useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { Checkbox } from '@sluice/ui/field.tsx';
import { ChangedMeanwhile, Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { protocols } from '../connect/endpoints.ts';
import { useDeployment } from '../deployment-context.ts';
import { refresh } from '../queries.ts';
import { Cuts } from './cuts.tsx';
import { bodyOf, ends, valuesOf, type RuleValues } from './rule-form.ts';
import styles from './access.module.css';

interface RuleDialogProps {
  /** undefined for a new one */
  rule: AccessRule | undefined;
  rules: readonly AccessRule[];
  /** the person's own address */
  address: string | null;
  onClose: () => void;
}

/** Adds or changes an access rule. */
export function RuleDialog(props: RuleDialogProps) {
  const { rule, onClose } = props;
  const { supervisor, path } = useDeployment();
  const { deployment_id } = path;
  // with the version that is changed, so that another's change is not lost
  const { data: read } = useQuery({
    queryKey: ['edited', deployment_id, rule?.id],
    queryFn: () =>
      versioned(getAccessRule({ client: supervisor, path: { deployment_id, rule_id: rule!.id } })),
    enabled: rule !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Dialog
      title={rule ? `Rule ${rule.name}` : 'New rule'}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      {(rule === undefined || read) && (
        <RuleForm {...props} key={read?.version ?? 'new'} rule={read?.value} version={read?.version} />
      )}
    </Dialog>
  );
}

function RuleForm({
  rule,
  rules,
  address,
  onClose,
  version,
}: RuleDialogProps & { version: string | undefined }) {
  const open = useDeployment();
  const { deployment_id } = open.path;
  const form = useForm<RuleValues>({ defaultValues: valuesOf(rule, rule ? null : address) });
  const { reason } = useAllowed(rule ? 'changeAccessRule' : 'createAccessRule', open.place);
  const [theirs, setTheirs] = useState<Versioned<AccessRule>>();
  const values = form.watch();
  const body = bodyOf(values, rule, new Date());
  const others = rules.filter(({ id }) => id !== rule?.id);
  const after = { ...body, valid_to: body.valid_to ?? null };
  const cuts = rule ? cutBy(rule, after, others, new Date()) : [];
  const own = address === null ? undefined : `${address}/32`;

  const send = async (current: RuleValues, match = version) => {
    const sent = bodyOf(current, rule, new Date());
    if (!rule) await createAccessRule({ client: open.supervisor, path: { deployment_id }, body: sent });
    else {
      const path = { deployment_id, rule_id: rule.id };
      try {
        await replaceAccessRule({
          client: open.supervisor,
          path,
          body: sent,
          headers: { 'If-Match': match ?? '*' },
        });
      } catch (error) {
        if (!isChangedMeanwhile(error)) throw error;
        setTheirs(await versioned(getAccessRule({ client: open.supervisor, path })));
        return;
      }
    }
    toast(`The rule ${sent.name} is in force`);
    onClose();
    await refresh(open, 'access_rule');
  };
  const shown = protocols.filter(({ key }) => values.rules[key]);
  return (
    <>
      <Form
        form={form}
        onSubmit={send}
        action={rule ? 'Save' : 'Add the rule'}
        disabledReason={reason}
        beside={
          <AsCode
            command={[
              ...(rule ? ['access', 'edit', rule.name, open.words] : ['access', 'add', open.words]),
              ...['--name', body.name, '--cidr', body.cidr_blocks.join(',')],
              ...['--protocols', shown.map(({ key }) => key.replace('broker_', '')).join(',')],
            ]}
            request={{
              method: rule ? 'PUT' : 'POST',
              path: `/deployments/${deployment_id}/access_rules${rule ? `/${rule.id}` : ''}`,
              body,
              layer: 'supervisor',
            }}
            apply={applyLines(open.names, {
              access_rules: [
                {
                  name: body.name,
                  cidr_blocks: body.cidr_blocks,
                  protocols: shown.map(({ key }) => key.replace('broker_', '')),
                  valid_to: body.valid_to,
                },
              ],
            })}
          />
        }
      >
        <FormText control={form.control} name="name" label="Name" isRequired autoFocus />
        <FormText
          control={form.control}
          name="cidr_blocks"
          label="Addresses"
          description="IPv4 addresses or blocks such as 192.0.2.0/24, one per line"
          isRequired
          isMono
          rows={3}
          beside={
            own && (
              <Button
                className={styles.beside}
                isDisabled={body.cidr_blocks.includes(own)}
                onPress={() => form.setValue('cidr_blocks', [...body.cidr_blocks, own].join('\n'))}
              >
                Add my address
              </Button>
            )
          }
        />
        <fieldset className={styles.group}>
          <legend className={styles.legend}>Protocols</legend>
          <div className={styles.checks}>
            {protocols.map(({ key, name }) => (
              <Controller
                key={key}
                control={form.control}
                name={`rules.${key}`}
                render={({ field: { value, onChange } }) => (
                  <Checkbox isSelected={value} onChange={onChange}>
                    {name}
                  </Checkbox>
                )}
              />
            ))}
          </div>
          {shown.length === 0 && <p className={styles.error}>At least one is needed.</p>}
        </fieldset>
        <Controller
          control={form.control}
          name="end"
          render={({ field: { value, onChange }, fieldState: { error } }) => (
            <Select
              label="Ends"
              options={[
                ...(rule?.valid_to ? [{ key: 'kept', label: 'As it is', note: rule.valid_to }] : []),
                ...ends,
              ]}
              value={value}
              onChange={onChange}
              error={error?.message}
            />
          )}
        />
        <FormText control={form.control} name="remarks" label="Remarks" />
        <Cuts cuts={cuts} address={address} />
      </Form>
      {theirs && (
        <ChangedMeanwhile
          isOpen
          onOpenChange={(isOpen) => !isOpen && setTheirs(undefined)}
          theirs={theirs.value}
          mine={{ ...theirs.value, ...body }}
          onKeepTheirs={() => {
            form.reset(valuesOf(theirs.value, null));
            setTheirs(undefined);
          }}
          onSendMine={() => {
            setTheirs(undefined);
            void send(form.getValues(), theirs.version);
          }}
        />
      )}
    </>
  );
}
