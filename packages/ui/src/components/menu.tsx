import type { ReactElement, ReactNode } from 'react';
import {
  Header,
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  MenuTrigger,
  Popover as AriaPopover,
  Separator,
  DialogTrigger,
  Dialog,
  type MenuItemProps,
  type MenuProps,
  type PopoverProps,
} from 'react-aria-components';
import { cx } from '../lib/cx.ts';
import { CheckIcon } from './icons.tsx';
import type { MenuPlace } from './menu-button.tsx';
import styles from './overlay.module.css';

/** A menu that a button opens. `trigger` is a button of this folder. */
export function Menu({
  trigger,
  children,
  ...props
}: { trigger: ReactElement; children: ReactNode } & MenuProps<object>) {
  return (
    <MenuTrigger>
      {trigger}
      <AriaPopover className={styles.popover ?? ''} offset={4}>
        <AriaMenu {...props} className={styles.menu ?? ''}>
          {children}
        </AriaMenu>
      </AriaPopover>
    </MenuTrigger>
  );
}

/** The menu of a `MenuButton`. */
export function PlacedMenu({
  place: { button, buttonId, menuId, isOpen, autoFocus, close },
  children,
  ...props
}: { place: MenuPlace; children: ReactNode } & MenuProps<object>) {
  return (
    <AriaPopover
      trigger="MenuTrigger"
      triggerRef={button}
      isOpen={isOpen}
      onOpenChange={(opens) => !opens && close()}
      placement="bottom start"
      offset={4}
      aria-labelledby={buttonId}
      className={styles.popover ?? ''}
    >
      <AriaMenu
        {...props}
        id={menuId}
        aria-labelledby={buttonId}
        autoFocus={autoFocus}
        onClose={close}
        className={styles.menu ?? ''}
      >
        {children}
      </AriaMenu>
    </AriaPopover>
  );
}

export interface ItemProps extends Omit<MenuItemProps, 'className' | 'style' | 'children'> {
  children: ReactNode;
  icon?: ReactNode;
  /** at the right: a key or a short text */
  note?: ReactNode;
  danger?: boolean;
}

export function MenuItem({ children, icon, note, danger, ...props }: ItemProps) {
  return (
    <AriaMenuItem
      {...props}
      textValue={props.textValue ?? (typeof children === 'string' ? children : '')}
      className={styles.item ?? ''}
      data-danger={danger === true}
    >
      {({ selectionMode, isSelected }) => (
        <>
          {selectionMode !== 'none' && <span className={styles.check}>{isSelected && <CheckIcon />}</span>}
          {icon}
          <span>{children}</span>
          {note !== undefined && <span className={styles.itemNote}>{note}</span>}
        </>
      )}
    </AriaMenuItem>
  );
}

export const MenuSeparator = () => <Separator className={styles.separator ?? ''} />;

export function MenuGroup({
  title,
  children,
  ...props
}: { title: string; children: ReactNode } & Pick<
  MenuProps<object>,
  'selectionMode' | 'selectedKeys' | 'onSelectionChange' | 'disallowEmptySelection'
>) {
  return (
    <AriaMenuSection {...props}>
      <Header className={styles.group ?? ''}>{title}</Header>
      {children}
    </AriaMenuSection>
  );
}

/** A small area that a button opens. */
export function Popover({
  trigger,
  label,
  children,
  placement = 'bottom end',
}: {
  trigger: ReactElement;
  /** its name for screen readers */
  label: string;
  children: ReactNode | ((close: () => void) => ReactNode);
  placement?: PopoverProps['placement'];
}) {
  return (
    <DialogTrigger>
      {trigger}
      <AriaPopover className={styles.popover ?? ''} placement={placement} offset={4}>
        <Dialog aria-label={label} className={cx(styles.padded)}>
          {({ close }) => <>{typeof children === 'function' ? children(close) : children}</>}
        </Dialog>
      </AriaPopover>
    </DialogTrigger>
  );
}
