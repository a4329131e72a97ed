import { webApp } from '@sluice/ui/vite/web-app.ts';
import { defineConfig } from 'vite';

/** `vite build` writes dist; `--mode design` adds the page of all components. `vite` alone proxies to a console that runs. */
export default defineConfig({
  ...webApp,
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      ['/api', '^/sign-in\\?source=', '/sign-in/callback'].map((path) => [
        path,
        { target: process.env.SLUICE_CONSOLE_URL ?? 'http://127.0.0.1:7606', changeOrigin: true },
      ]),
    ),
  },
});
