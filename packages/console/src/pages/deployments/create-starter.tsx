import { lazy, Suspense, useState } from 'react';
import { ActionButton } from '../../parts/allowed.tsx';
import { PlusIcon } from '../../ui/icons.tsx';

const StarterDialog = lazy(() =>
  import('./starter-form.tsx').then(({ StarterDialog: component }) => ({ default: component })),
);

/** The button that creates a starter deployment. Its dialog is loaded when it opens. */
export function CreateStarter({ tenantId }: { tenantId: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionButton action="createStarter" kind="primary" icon={<PlusIcon />} onPress={() => setOpen(true)} />
      <Suspense>{isOpen && <StarterDialog tenantId={tenantId} isOpen onOpenChange={setOpen} />}</Suspense>
    </>
  );
}
