import type { ApiKey } from '@sluice/client';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Time } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { refreshKinds } from '../people/queries.ts';
import { useKeyCalls } from './key-calls.ts';

/** Asks before a key is revoked, with when it was used last. */
export function RevokeDialog({
  tenantId,
  apiKey,
  onClose,
}: {
  tenantId: number;
  apiKey: ApiKey;
  onClose: () => void;
}) {
  const { path, words, revoke } = useKeyCalls(tenantId, apiKey);
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      action="Revoke"
      name={apiKey.name}
      onConfirm={async () => {
        await revoke();
        toast(`${apiKey.name} is revoked`, 'Every API refuses its token.');
        await refreshKinds(tenantId, 'api_key', 'limits');
      }}
    >
      <p>
        Programs that use it are refused at once.{' '}
        {apiKey.last_used_at === null ? (
          'It has never been used.'
        ) : (
          <>
            It was last used <Time at={apiKey.last_used_at} />.
          </>
        )}
      </p>
      <AsCode command={['keys', 'revoke', ...words]} request={{ method: 'DELETE', path }} />
    </ConfirmDialog>
  );
}
