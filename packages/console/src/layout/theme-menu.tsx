import { memo } from 'react';
import { lazyPart } from '@sluice/ui/lib/lazy-part.ts';
import { IconButton } from '@sluice/ui/button.tsx';
import { ThemeIcon } from '@sluice/ui/icons.tsx';
import { MenuButton } from '@sluice/ui/menu-button.tsx';

const AppearanceMenu = lazyPart(() => import('./menus.tsx'), 'AppearanceMenu');

/** How the console looks: theme and time zone. */
export const ThemeMenu = memo(() => (
  <MenuButton
    menu={AppearanceMenu}
    trigger={(opens) => <IconButton {...opens} label="Appearance" icon={<ThemeIcon />} />}
  />
));
ThemeMenu.displayName = 'ThemeMenu';
