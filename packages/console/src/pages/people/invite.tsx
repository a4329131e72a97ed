import { Suspense } from 'react';
import { lazyPart } from '@sluice/ui/lib/lazy-part.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { useNewDialog } from '@sluice/console-core/parts/new-dialog.ts';
import { PlusIcon } from '@sluice/ui/icons.tsx';

const InviteDialog = lazyPart(() => import('./invite-dialog.tsx'), 'InviteDialog');

/** The button that opens the dialog by which a person is invited. */
export function InviteButton() {
  const [, setOpen] = useNewDialog();
  return (
    <ActionButton action="inviteMember" kind="primary" icon={<PlusIcon />} onPress={() => setOpen(true)} />
  );
}

/** That dialog, once on the page. It is loaded when it opens. */
export function Invite({ tenantId }: { tenantId: number }) {
  const [isOpen, setOpen] = useNewDialog();
  return <Suspense>{isOpen && <InviteDialog tenantId={tenantId} onClose={() => setOpen(false)} />}</Suspense>;
}
