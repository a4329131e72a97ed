import { useState, type ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { cx } from '../lib/cx.ts';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';
import { ErrorNote } from './feedback.tsx';
import styles from './overlay.module.css';

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode | ((close: () => void) => ReactNode);
  /** buttons at its foot */
  buttons?: (close: () => void) => ReactNode;
  wide?: boolean;
  /** for one that must be answered */
  role?: 'dialog' | 'alertdialog';
}

/** A dialog over the page. It keeps the focus, and Escape closes it. */
export function Dialog({
  title,
  isOpen,
  onOpenChange,
  children,
  buttons,
  wide,
  role = 'dialog',
}: DialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={role === 'dialog'}
      className={styles.backdrop ?? ''}
    >
      <Modal className={cx(styles.modal, wide && styles.wide)}>
        <AriaDialog role={role} className={styles.dialog ?? ''}>
          {({ close }) => (
            <>
              <Heading slot="title" className={styles.title ?? ''}>
                {title}
              </Heading>
              <div className={styles.body}>{typeof children === 'function' ? children(close) : children}</div>
              {buttons && <div className={styles.buttons}>{buttons(close)}</div>}
            </>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export interface ConfirmProps {
  title: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** what will happen */
  children: ReactNode;
  /** the button, in the imperative */
  action: string;
  /** has to be typed before */
  name?: string | undefined;
  /** for protected objects: sends a one-time code to the owner */
  requestCode?: (() => Promise<void>) | undefined;
  /** does it; what it throws is shown */
  onConfirm: (code: string | undefined) => Promise<void>;
}

/** Asks before something is destroyed: for its name, and for the one-time code where it is protected. */
export function ConfirmDialog({ name, requestCode, action, children, onConfirm, ...dialog }: ConfirmProps) {
  return (
    <Dialog {...dialog} role="alertdialog">
      {(close) => <ConfirmForm {...{ name, requestCode, action, onConfirm, close }}>{children}</ConfirmForm>}
    </Dialog>
  );
}

interface ConfirmFormProps extends Pick<
  ConfirmProps,
  'name' | 'requestCode' | 'action' | 'onConfirm' | 'children'
> {
  close: () => void;
}

function ConfirmForm({ name, requestCode, action, onConfirm, children, close }: ConfirmFormProps) {
  const [typed, setTyped] = useState('');
  const [code, setCode] = useState('');
  const [isSent, setSent] = useState(false);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const attempt = async (work: () => Promise<void>) => {
    setPending(true);
    setError(undefined);
    try {
      await work();
    } catch (thrown) {
      setError(thrown);
    }
    setPending(false);
  };
  const isReady = (name === undefined || typed === name) && (!requestCode || code !== '');
  const confirm = () =>
    void attempt(async () => {
      await onConfirm(requestCode ? code : undefined);
      close();
    });
  return (
    <form
      className={styles.body}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isPending) confirm();
      }}
    >
      <div>{children}</div>
      {name !== undefined && (
        <TextField label={`Type ${name} to confirm`} value={typed} onChange={setTyped} autoFocus isMono />
      )}
      {requestCode && (
        <TextField
          label="One-time code"
          description={
            isSent ? 'Sent to the owner of the organization.' : 'It is protected: the owner gets a code.'
          }
          value={code}
          onChange={setCode}
          isMono
          beside={
            <Button
              onPress={() =>
                void attempt(async () => {
                  await requestCode();
                  setSent(true);
                })
              }
            >
              {isSent ? 'Send another' : 'Send the code'}
            </Button>
          }
        />
      )}
      {error !== undefined && <ErrorNote error={error} />}
      <div className={styles.buttons}>
        <Button onPress={close}>Cancel</Button>
        <Button type="submit" kind="danger" isDisabled={!isReady} isPending={isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}
