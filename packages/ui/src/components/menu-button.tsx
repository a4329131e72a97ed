import {
  Suspense,
  useId,
  useRef,
  useState,
  type ComponentType,
  type ReactElement,
  type RefObject,
} from 'react';
import type { ButtonProps } from './button.tsx';

/** What a menu gets from the button that opens it. */
export interface MenuPlace {
  button: RefObject<HTMLButtonElement | null>;
  buttonId: string;
  menuId: string;
  isOpen: boolean;
  /** the item that gets the focus; true: the menu itself */
  autoFocus: 'first' | 'last' | true;
  close: () => void;
}

/** The part of a button's properties that makes it open a menu. */
type MenuTrigger = Pick<
  ButtonProps,
  'id' | 'aria-haspopup' | 'aria-expanded' | 'aria-controls' | 'onPressStart' | 'onPress' | 'onKeyDown'
> & { ref: RefObject<HTMLButtonElement | null> };

/**
 * A button whose menu is loaded when it is opened first: the frame of a page has menus that most visits do not open. It answers presses
 * and keys as the button of `Menu` does.
 * @param trigger makes the button
 * @param menu a lazy component that shows `PlacedMenu`
 */
export function MenuButton({
  trigger,
  menu: Content,
}: {
  trigger: (opens: MenuTrigger) => ReactElement;
  menu: ComponentType<{ place: MenuPlace }>;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [buttonId, menuId] = [useId(), useId()];
  const [wasOpened, setOpened] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [autoFocus, setFocus] = useState<MenuPlace['autoFocus']>(true);
  const open = (focus: MenuPlace['autoFocus']) => {
    // the focus comes back to it, also where a press gives buttons none
    button.current?.focus({ preventScroll: true });
    setFocus(focus);
    setOpened(true);
    setOpen(true);
  };
  return (
    <>
      {trigger({
        ref: button,
        id: buttonId,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        ...(isOpen && { 'aria-controls': menuId }),
        onPressStart: ({ pointerType }) => {
          if (pointerType !== 'touch')
            open(pointerType === 'mouse' || pointerType === 'pen' ? true : 'first');
        },
        onPress: ({ pointerType }) => {
          if (pointerType === 'touch') open(true);
        },
        onKeyDown: (event) => {
          if (event.key === 'ArrowDown') open('first');
          else if (event.key === 'ArrowUp') open('last');
          else return event.continuePropagation();
          event.preventDefault();
        },
      })}
      {wasOpened && (
        <Suspense>
          <Content place={{ button, buttonId, menuId, isOpen, autoFocus, close: () => setOpen(false) }} />
        </Suspense>
      )}
    </>
  );
}
