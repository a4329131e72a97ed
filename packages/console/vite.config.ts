import { firstLoad } from '@sluice/ui/vite/first-load.ts';
import { webApp } from '@sluice/ui/vite/web-app.ts';
import { defineConfig } from 'vite';

/** What all pages have in common, in few files: each is a request, and small ones compress badly. Dependencies go along. */
const groups = [
  // what runs before the rest has come
  {
    name: 'early',
    test: /vite[\\/]preload-helper|ui[\\/]src[\\/]lib[\\/]preferences|console-core[\\/]src[\\/]early|console[\\/]src[\\/]first-pages/,
    priority: 3,
  },
  {
    name: 'react',
    test: /[\\/]node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]/,
    priority: 2,
  },
  {
    name: 'data',
    test: /[\\/]node_modules[\\/]@tanstack[\\/](react-)?query|[\\/]console-core[\\/]src[\\/]api[\\/](permissions|queries|sign-in)\./,
    priority: 1,
  },
  {
    name: 'frame',
    test: /[\\/]node_modules[\\/]@tanstack[\\/](react-)?(router|store)|[\\/]ui[\\/]src[\\/](lib[\\/](idle|quantity)|components[\\/](button|data|feedback|layout|menu-button|page|status|toast)\.)|[\\/]console-core[\\/]src[\\/](api[\\/]feeds|lib[\\/]shortcuts|parts[\\/](breadcrumb|deployment-status|link|tenant))\.|[\\/]console[\\/]src[\\/]layout[\\/]plain\./,
  },
];

/** `vite build` writes dist; `--mode design` adds the page of all components. `vite` alone proxies to a console that runs. */
export default defineConfig({
  ...webApp,
  plugins: [webApp.plugins, firstLoad('__CSP_NONCE__')],
  build: { ...webApp.build, rolldownOptions: { output: { codeSplitting: { groups } } } },
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
