import { Controller, useForm } from 'react-hook-form';
import { putAuditSink, SluiceError, type AuditSink } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import type { Versioned } from '@sluice/console-core/api/versions.ts';
import { useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { useMeanwhile } from '@sluice/console-core/parts/meanwhile.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { Switch } from '@sluice/ui/field.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { headersIn, inputOf, valuesOf, type SinkValues } from './sink-form.ts';

interface SinkFormProps {
  tenantId: number;
  /** as it was read for the form */
  first: Versioned<AuditSink | null>;
  /** reads it as it is now */
  read: () => Promise<Versioned<AuditSink | null>>;
  onSaved: () => Promise<void>;
}

/** Where the log is sent: to a server by HTTPS, or to a bucket. */
export function SinkForm({ tenantId, first, read, onSaved }: SinkFormProps) {
  const form = useForm<SinkValues>({ defaultValues: valuesOf(first.value) });
  const { reason } = useAllowed('setAuditSink');
  const { control } = form;
  const values = form.watch();
  const {
    base: sink,
    send,
    takeNow,
    dialog,
  } = useMeanwhile({
    first,
    read,
    shown: (one) => one && inputOf(valuesOf(one)),
    mine: inputOf(values),
    put: (one) => form.reset(valuesOf(one)),
  });
  const save = async (given: SinkValues) => {
    const { wrong } = headersIn(given.headers);
    if (given.kind === 'https' && wrong !== undefined) {
      form.setError('headers', { message: `'${wrong}' is no header: name, colon, value.` });
      return;
    }
    try {
      await send(async (version) => {
        // there was none
        const headers: { 'If-None-Match': '*' } | { 'If-Match': string } =
          version === '*' ? { 'If-None-Match': '*' } : { 'If-Match': version };
        await putAuditSink({ client, path: { tenant_id: tenantId }, body: inputOf(given), headers });
        toast(given.enabled ? 'The log is sent there' : 'The sink is saved, and switched off');
        await onSaved();
        await takeNow();
      });
    } catch (error) {
      // its issues name `/body/https/url`, and the fields have no groups
      if (error instanceof SluiceError)
        for (const { path, message } of error.field_issues) {
          const name = path.split('/').at(-1) as keyof SinkValues;
          if (name in given) form.setError(name, { message });
        }
      throw error;
    }
  };
  return (
    <Form
      form={form}
      action="Save"
      onSubmit={save}
      disabledReason={reason}
      beside={
        <AsCode
          command={['audit', 'sink', 'edit', '--file', 'sink.json']}
          request={{
            method: 'PUT',
            path: `/audit/tenants/${tenantId}/sink`,
            body: inputOf(values),
            layer: 'audit',
          }}
        />
      }
    >
      <div className={layout.pair}>
        <Controller
          control={control}
          name="kind"
          render={({ field }) => (
            <Select
              label="To"
              options={[
                { key: 'https', label: 'A server by HTTPS' },
                { key: 's3', label: 'A bucket with the API of S3' },
              ]}
              value={field.value}
              onChange={field.onChange}
            />
          )}
        />
        <FormText
          control={control}
          name="interval_seconds"
          label="Seconds that entries wait for others"
          inputMode="numeric"
          isRequired
        />
        <Controller
          control={control}
          name="start"
          render={({ field }) => (
            <Select
              label="Begins"
              options={[
                { key: '', label: sink ? 'where it is' : 'with the next entry' },
                { key: 'beginning', label: 'with the oldest entry' },
                ...(sink ? [{ key: 'now', label: 'with the next entry' }] : []),
              ]}
              value={field.value}
              onChange={(key) => field.onChange(key ?? '')}
            />
          )}
        />
      </div>
      {values.kind === 'https' ? (
        <>
          <div className={layout.pair}>
            <FormText
              control={control}
              name="url"
              label="Address"
              placeholder="https://…"
              isRequired
              isMono
            />
            <Controller
              control={control}
              name="format"
              render={({ field }) => (
                <Select
                  label="Format"
                  options={[
                    { key: 'ndjson', label: 'A line of JSON for each entry' },
                    { key: 'json', label: 'One array of JSON' },
                  ]}
                  value={field.value}
                  onChange={field.onChange}
                />
              )}
            />
          </div>
          <FormText
            control={control}
            name="headers"
            label="Headers"
            description="One a line, such as Authorization: Splunk 3f1f… Values are secret; *** keeps one."
            rows={3}
            isMono
          />
          <FormText
            control={control}
            name="signing_secret"
            label="Signing secret"
            description="whsec_ and base64. Requests are signed with it as Standard Webhooks has it."
            isMono
          />
        </>
      ) : (
        <>
          <div className={layout.pair}>
            <FormText control={control} name="bucket" label="Bucket" isRequired isMono />
            <FormText control={control} name="region" label="Region" isMono />
            <FormText control={control} name="prefix" label="Prefix" isMono />
            <FormText
              control={control}
              name="endpoint"
              label="Address of the storage"
              description="Empty for that of AWS."
              isMono
            />
            <FormText control={control} name="access_key_id" label="Access key" isRequired isMono />
            <FormText
              control={control}
              name="secret_access_key"
              label="Secret key"
              type="password"
              isRequired
              isMono
            />
          </div>
          <Controller
            control={control}
            name="path_style"
            render={({ field }) => (
              <Switch isSelected={field.value} onChange={field.onChange}>
                The bucket is in the path and not in the name of the server
              </Switch>
            )}
          />
        </>
      )}
      <FormText
        control={control}
        name="tls_ca"
        label="Certificates to trust"
        description="PEM. Empty for the well-known authorities."
        rows={2}
        isMono
      />
      <Controller
        control={control}
        name="enabled"
        render={({ field }) => (
          <Switch isSelected={field.value} onChange={field.onChange}>
            Entries are sent
          </Switch>
        )}
      />
      {dialog}
    </Form>
  );
}
