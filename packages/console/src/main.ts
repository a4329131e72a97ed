import { applyTheme } from '@sluice/ui/lib/preferences.ts';
import { askEarly } from './first-pages.ts';
import '@sluice/ui/styles/tokens.css';
import '@sluice/ui/styles/base.css';

// this file has little code, so that it asks before the code that shows the answers has come
applyTheme();
const drawn = painted();
askEarly(location.pathname, drawn).catch(() => undefined);
// they come at the same time and begin one after the other, so that no step keeps a phone busy for long
void drawn
  .then(() => import('react-dom/client'))
  .then(() => import('@sluice/console-core/api/queries.ts'))
  .then(() => import('@sluice/console-core/parts/link.tsx'))
  .then(() => import('./app.tsx'))
  .then(({ start }) => start())
  .catch((error: unknown) => {
    const name = document.querySelector('.starting');
    if (name) name.textContent = 'The console could not be loaded. Reload the page to try again.';
    throw error;
  });

/** Waits until the browser has drawn what the document says, which it does not in a tab that is not shown. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 1_000);
  });
}
