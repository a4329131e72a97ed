import { applyTheme } from '@sluice/ui/lib/preferences.ts';
import { askEarly } from './early.ts';
import '@sluice/ui/styles/tokens.css';
import '@sluice/ui/styles/base.css';

// this file has little code, so that it asks before the code that shows the answers has come
applyTheme();
askEarly(location.pathname).catch(() => undefined);
void import('./app.tsx').then(({ start }) => start());
