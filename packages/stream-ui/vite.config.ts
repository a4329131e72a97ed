import { webApp } from '@sluice/ui/vite/web-app.ts';
import { defineConfig } from 'vite';

/** `vite build` writes the page that nodes serve by themselves. */
export default defineConfig(webApp);
