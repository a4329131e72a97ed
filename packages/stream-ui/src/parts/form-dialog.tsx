import { useState, type ReactNode } from 'react';
import { Button } from '@sluice/ui/button.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { ErrorNote } from '@sluice/ui/feedback.tsx';
import { useLeft } from '@sluice/ui/lib/left.ts';
import { toastError } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { explained } from '../broker/session.ts';
import styles from './streams.module.css';

interface FormDialogProps {
  title: string;
  /** the button, in the imperative */
  action: string;
  isReady: boolean;
  onClose: () => void;
  /** does it; what it throws is shown */
  onSubmit: () => Promise<void>;
  children: ReactNode;
  danger?: boolean;
  /** stops what `onSubmit` does, where that goes on for long */
  onStop?: () => void;
}

/** A dialog with fields, which closes when what it is for is done. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, isReady, onClose, onSubmit, onStop, children, danger } = props;
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  // one that was closed must not close the next one when it is done
  const isLeft = useLeft();
  const submit = async () => {
    setPending(true);
    setError(undefined);
    try {
      await onSubmit();
      if (!isLeft.current) onClose();
    } catch (thrown) {
      if (isLeft.current) toastError(explained(thrown));
      setError(explained(thrown));
      setPending(false);
    }
  };
  return (
    <Dialog title={title} isOpen wide onOpenChange={(isOpen) => !isOpen && onClose()}>
      <form
        className={layout.closeStack}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isPending) void submit();
        }}
      >
        {children}
        {error !== undefined && <ErrorNote error={error} />}
        <div className={styles.buttons}>
          {onStop ? <Button onPress={onStop}>Stop</Button> : <Button onPress={onClose}>Cancel</Button>}
          <Button
            type="submit"
            kind={danger ? 'danger' : 'primary'}
            isDisabled={!isReady}
            isPending={isPending}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
