import { lazy, Suspense, useState } from 'react';
import { ActionButton } from '../../parts/allowed.tsx';
import { PlusIcon } from '@sluice/ui/icons.tsx';

const InviteDialog = lazy(() =>
  import('./invite-dialog.tsx').then(({ InviteDialog: component }) => ({ default: component })),
);

/** The button that invites a person. Its dialog is loaded when it opens. */
export function InviteButton({ tenantId }: { tenantId: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionButton action="inviteMember" kind="primary" icon={<PlusIcon />} onPress={() => setOpen(true)} />
      <Suspense>{isOpen && <InviteDialog tenantId={tenantId} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
