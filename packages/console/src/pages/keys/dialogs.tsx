import type { OpenedDialog } from './opened-dialog.ts';
import { AddressesDialog } from './addresses-dialog.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

/** The dialogs of the page of API keys. They are loaded when the first one opens. */
export function KeyDialogs({
  tenantId,
  division,
  opened,
  onClose,
}: {
  tenantId: number;
  /** the division whose keys are shown */
  division: number | undefined;
  opened: OpenedDialog;
  onClose: () => void;
}) {
  if (opened.kind === 'create') return <CreateDialog {...{ tenantId, division, onClose }} />;
  const props = { tenantId, apiKey: opened.apiKey, onClose };
  if (opened.kind === 'rotate') return <RotateDialog {...props} />;
  return opened.kind === 'addresses' ? <AddressesDialog {...props} /> : <RevokeDialog {...props} />;
}
