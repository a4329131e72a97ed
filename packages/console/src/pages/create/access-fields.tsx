import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import {
  listCloudAccounts,
  setUpByoc,
  validateCloudAccess,
  type Cloud,
  type CloudAccessCheck,
} from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { read } from '@sluice/console-core/api/query-client.ts';
import { clouds } from '@sluice/console-core/clouds/index.ts';
import { Button } from '@sluice/ui/button.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { CodeBlock } from '@sluice/ui/code.tsx';
import { ErrorNote, Note, PartialState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Checkbox } from '@sluice/ui/field.tsx';
import { FormText } from '@sluice/ui/form.tsx';
import layout from '@sluice/ui/layout.module.css';
import type { CreateValues } from './create-values.ts';
import styles from './create.module.css';

interface AccessFieldsProps {
  form: UseFormReturn<CreateValues>;
  path: { tenant_id: number; division_id: number; environment_id: number };
  at: { cloud: Cloud; region: string };
}

/** What to prepare in the account, step by step, and how to get into it. */
export function AccessFields({ form, path, at }: AccessFieldsProps) {
  const { account: accountField, fields } = clouds[at.cloud].access;
  const { data: accounts } = useQuery(
    read(keyOf('main', path.tenant_id, 'cloud_account', 'of', at.cloud), (signal) =>
      listCloudAccounts({
        client,
        path: { tenant_id: path.tenant_id },
        query: { cloud: at.cloud, results: 100 },
        signal,
      }),
    ),
  );
  const active = accounts?.items.filter(({ status }) => status === 'active') ?? [];
  return (
    <>
      <Steps path={path} at={at} />
      <h3>Access to the account</h3>
      {active.length > 0 && (
        <Select
          label="Saved account"
          description="What you leave empty below is taken from it."
          options={active.map(({ account_id: account, name }) => ({
            key: account,
            label: name,
            note: account,
          }))}
          value={form.watch('access')[accountField] ?? null}
          onChange={(key) => form.setValue(`access.${accountField}`, key ?? '')}
        />
      )}
      <div className={layout.pair}>
        {fields.map(({ key, label, about }) => (
          <FormText
            key={key}
            control={form.control}
            name={`access.${key}`}
            label={label}
            description={about}
            isMono
          />
        ))}
      </div>
      <Check form={form} path={path} at={at} />
    </>
  );
}

/** The steps of the setup, to tick. They are the same each time, so ticks are of this page alone. */
function Steps({ path, at }: Omit<AccessFieldsProps, 'form'>) {
  const [done, setDone] = useState<ReadonlySet<number>>(new Set());
  const { data, error, refetch } = useQuery({
    ...read(keyOf('main', path.tenant_id, 'setup', path.environment_id, at), (signal) =>
      setUpByoc({ client, path, body: at, signal }),
    ),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
  });
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonLines count={4} />;
  const documents =
    'trust_policy' in data
      ? [
          { title: 'Trust policy', code: JSON.stringify(data.trust_policy, null, 2) },
          { title: 'Permissions policy', code: JSON.stringify(data.permissions_policy, null, 2) },
        ]
      : [{ title: 'Commands', code: data.commands.join('\n') }];
  return (
    <section className={styles.steps} aria-label="What to prepare">
      <h3>
        What to prepare: {done.size} of {data.steps.length} done
      </h3>
      <ol>
        {data.steps.map(({ title, text, command }, index) => (
          <li key={title}>
            <Checkbox
              isSelected={done.has(index)}
              onChange={(isDone) =>
                setDone((before) =>
                  isDone ? new Set([...before, index]) : new Set([...before].filter((one) => one !== index)),
                )
              }
            >
              <span>
                <strong>{title}</strong>
                <br />
                {text}
              </span>
            </Checkbox>
            {command !== undefined && <CodeBlock code={command} label={title} />}
          </li>
        ))}
      </ol>
      {documents.map(({ title, code }) => (
        <details key={title}>
          <summary>{title}</summary>
          <CodeBlock code={code} label={title} />
        </details>
      ))}
    </section>
  );
}

function Check({ form, path, at }: AccessFieldsProps) {
  const [checked, setChecked] = useState<{ check?: CloudAccessCheck; error?: unknown; isPending: boolean }>();
  const check = async () => {
    setChecked({ isPending: true });
    const { access } = form.getValues();
    const body = { ...at, ...clouds[at.cloud].access.check((key) => access[key]?.trim() ?? '') };
    try {
      const { data } = await validateCloudAccess({ client: client.at(at), path, body });
      setChecked({ check: data, isPending: false });
    } catch (error) {
      setChecked({ error, isPending: false });
    }
  };
  return (
    <>
      <span>
        <Button isPending={checked?.isPending ?? false} onPress={() => void check()}>
          Check the access
        </Button>
      </span>
      {checked?.error !== undefined && <ErrorNote error={checked.error} />}
      {checked?.check &&
        (checked.check.valid ? (
          <Note>
            The access is fine
            {checked.check.unchecked.length > 0 &&
              `, as far as it was looked at: not ${checked.check.unchecked.join(', ').replaceAll('_', ' ')}`}
            .
          </Note>
        ) : (
          <PartialState>{checked.check.error}</PartialState>
        ))}
    </>
  );
}
