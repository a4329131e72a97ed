import { useEffect, useState } from 'react';
import { cx } from '../lib/cx.ts';
import { IconButton } from './button.tsx';
import { CheckIcon, CopyIcon, EyeIcon } from './icons.tsx';
import styles from './copy.module.css';

/** Copies a text. It shows for two seconds that it has. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <>
      <IconButton
        size="small"
        label={isCopied ? 'Copied' : `Copy ${label}`}
        icon={isCopied ? <CheckIcon /> : <CopyIcon />}
        onPress={() => void navigator.clipboard.writeText(value).then(() => setCopied(true))}
      />
      <span className="visually-hidden" aria-live="polite">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  );
}

/** A value to copy, such as an endpoint or an id. */
export function CopyField({ value, label, isInline }: { value: string; label: string; isInline?: boolean }) {
  return (
    <span className={cx(styles.copy, isInline && styles.inline)}>
      <code className={styles.value}>{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  );
}

/** A secret: hidden until it is asked for. `read` gets it then, so that none is in the page before; it is forgotten when it is hidden. */
export function SecretField({ label, read }: { label: string; read: () => Promise<string> }) {
  const [secret, setSecret] = useState<string>();
  const [isPending, setPending] = useState(false);
  const show = async () => {
    setPending(true);
    await read().then(setSecret, () => undefined);
    setPending(false);
  };
  return (
    <span className={styles.copy}>
      <code className={cx(styles.value, secret === undefined && styles.hidden)}>
        {secret ?? '••••••••••••'}
      </code>
      <IconButton
        size="small"
        label={secret === undefined ? `Show ${label}` : `Hide ${label}`}
        icon={<EyeIcon />}
        isDisabled={isPending}
        onPress={() => (secret === undefined ? void show() : setSecret(undefined))}
      />
      {secret !== undefined && <CopyButton value={secret} label={label} />}
    </span>
  );
}
