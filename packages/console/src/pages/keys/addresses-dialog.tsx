import { useForm } from 'react-hook-form';
import type { ApiKey } from '@sluice/client';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { Form } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { refreshKinds } from '../people/queries.ts';
import { AddressesField } from './addresses-field.tsx';
import { useKeyCalls } from './key-calls.ts';
import { securityOf } from './key-form.ts';

/** Says from which addresses a key may be used. */
export function AddressesDialog({
  tenantId,
  apiKey,
  onClose,
}: {
  tenantId: number;
  apiKey: ApiKey;
  onClose: () => void;
}) {
  const calls = useKeyCalls(tenantId, apiKey);
  const form = useForm({
    defaultValues: { allowed_ips: apiKey.validate_ip ? apiKey.allowed_ips.join('\n') : '' },
  });
  const text = form.watch('allowed_ips');
  const body = securityOf(text);
  return (
    <Dialog title={`Addresses of ${apiKey.name}`} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Form
        form={form}
        action="Save"
        onSubmit={async (values) => {
          await calls.setAddresses(securityOf(values.allowed_ips));
          toast(`${apiKey.name} is changed`, 'Every API decides by it already.');
          onClose();
          await refreshKinds(tenantId, 'api_key');
        }}
        beside={
          <AsCode
            command={[
              ...['api', 'PUT', `${calls.path}/security`],
              ...['--field', `validate_ip=${body.validate_ip}`],
              ...['--field', `allowed_ips=${JSON.stringify(body.allowed_ips)}`],
            ]}
            request={{ method: 'PUT', path: `${calls.path}/security`, body }}
          />
        }
      >
        <AddressesField
          control={form.control}
          name="allowed_ips"
          value={text}
          onAdd={(added) => form.setValue('allowed_ips', added)}
        />
      </Form>
    </Dialog>
  );
}
