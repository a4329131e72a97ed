import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import { cx } from '../lib/cx.ts';
import { Tooltip } from './tooltip.tsx';
import styles from './button.module.css';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  children?: ReactNode;
  kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  size?: 'normal' | 'small';
  icon?: ReactNode;
  className?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
  /** why it cannot be pressed; it stays in the order of focus so that the reason can be read */
  disabledReason?: ReactNode;
}

/** The classes of a button, for links that look like one. */
export const buttonClass = (
  kind: ButtonProps['kind'] = 'plain',
  size: ButtonProps['size'] = 'normal',
): string => cx(styles.button, kind !== 'plain' && styles[kind], size === 'small' && styles.small);

/** The class of a link within text. */
export const linkClass = styles.link ?? '';

export function Button({
  kind,
  size,
  icon,
  children,
  disabledReason,
  isPending,
  className,
  ...props
}: ButtonProps) {
  const isBlocked = disabledReason !== undefined && disabledReason !== null && disabledReason !== false;
  const button = (
    <AriaButton
      {...props}
      {...(isBlocked && { 'aria-disabled': true, onPress: undefined, type: 'button' as const })}
      isPending={isPending ?? false}
      className={cx(buttonClass(kind, size), isPending && styles.pending, className)}
    >
      {isPending ? <span className={styles.spinner} aria-hidden /> : icon}
      {children}
    </AriaButton>
  );
  return isBlocked ? <Tooltip text={disabledReason}>{button}</Tooltip> : button;
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'kind'> {
  /** what it does; the tooltip and the name for screen readers */
  label: string;
  icon: ReactNode;
  /** the key that does the same */
  shortcut?: string;
}

export function IconButton({
  label,
  icon,
  size,
  shortcut,
  disabledReason: _reason,
  ...props
}: IconButtonProps) {
  return (
    <Tooltip text={shortcut ? `${label} (${shortcut})` : label}>
      <AriaButton {...props} aria-label={label} className={cx(buttonClass('quiet', size), styles.icon)}>
        {icon}
      </AriaButton>
    </Tooltip>
  );
}
