import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import type { ApiKey, CreatedApiKey } from '@sluice/client';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { Form } from '@sluice/ui/form.tsx';
import { refreshKinds } from '../people/queries.ts';
import { useKeyCalls } from './key-calls.ts';
import { graces } from './key-form.ts';
import { ShownOnce } from './shown-once.tsx';

/** Gives a key another token, and shows it this once. The one before can work on for a grace. */
export function RotateDialog({
  tenantId,
  apiKey,
  onClose,
}: {
  tenantId: number;
  apiKey: ApiKey;
  onClose: () => void;
}) {
  const calls = useKeyCalls(tenantId, apiKey);
  const [created, setCreated] = useState<CreatedApiKey>();
  const form = useForm<{ grace: string }>({ defaultValues: { grace: '3600' } });
  const grace = form.watch('grace');
  const body = { grace_seconds: Number(grace) };
  return (
    <Dialog
      title={`Rotate ${apiKey.name}`}
      isOpen
      role={created ? 'alertdialog' : 'dialog'}
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      {created ? (
        <ShownOnce created={created} onClose={onClose} />
      ) : (
        <Form
          form={form}
          action="Rotate"
          onSubmit={async () => {
            const { data } = await calls.rotate(body);
            setCreated(data);
            await refreshKinds(tenantId, 'api_key');
          }}
          beside={
            <AsCode
              command={[
                ...['keys', 'rotate', ...calls.words],
                ...(body.grace_seconds > 0 ? ['--grace', `${body.grace_seconds}s`] : []),
              ]}
              request={{ method: 'POST', path: `${calls.path}/rotate`, body }}
            />
          }
        >
          <p>
            The key gets another token, which is shown once. Only the person whom the key acts as can rotate
            it.
          </p>
          <Controller
            control={form.control}
            name="grace"
            render={({ field: { value, onChange } }) => (
              <Select
                label="The token before works on for"
                options={graces}
                value={value}
                onChange={onChange}
              />
            )}
          />
        </Form>
      )}
    </Dialog>
  );
}
