import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyTheme } from '@sluice/ui/lib/preferences.ts';
import '@sluice/ui/styles/tokens.css';
import '@sluice/ui/styles/base.css';
import { StreamPage } from './stream-page.tsx';

applyTheme();
const root = document.querySelector('#root');
if (!root) throw new Error('The document has no #root.');
createRoot(root).render(
  <StrictMode>
    <StreamPage />
  </StrictMode>,
);
