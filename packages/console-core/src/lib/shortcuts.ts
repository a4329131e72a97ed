import { useEffect } from 'react';
import { tinykeys } from 'tinykeys';

export interface Shortcut {
  /** as tinykeys has it, such as `g d` */
  keys: string;
  /** as people read it */
  shown: string;
  does: string;
}

/** All keys of the console, in the order of its help. */
export const shortcuts = {
  palette: { keys: '$mod+k', shown: 'Ctrl K', does: 'Find pages, deployments, people and actions' },
  help: { keys: 'Shift+?', shown: '?', does: 'Show the keys' },
  search: { keys: '/', shown: '/', does: 'Search in the list' },
  overview: { keys: 'g o', shown: 'g o', does: 'Go to the overview' },
  deployments: { keys: 'g d', shown: 'g d', does: 'Go to the deployments' },
} as const satisfies Record<string, Shortcut>;

/** Keys that lists know by themselves. */
export const listKeys: readonly Pick<Shortcut, 'shown' | 'does'>[] = [
  { shown: 'j / k', does: 'Next and previous row' },
  { shown: 'Enter', does: 'Open the row' },
  { shown: 'x', does: 'Select the row' },
];

const isTyping = (event: KeyboardEvent) => {
  const target = event.target as HTMLElement;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
};

/** Does something when its keys are pressed, unless the person types a text. */
export function useShortcut(name: keyof typeof shortcuts, action: () => void): void {
  const { keys } = shortcuts[name];
  useEffect(
    () =>
      tinykeys(window, {
        [keys]: (event) => {
          if (isTyping(event) && !event.ctrlKey && !event.metaKey) return;
          event.preventDefault();
          action();
        },
      }),
    [keys, action],
  );
}
