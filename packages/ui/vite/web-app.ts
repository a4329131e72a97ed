import { randomUUID } from 'node:crypto';
import react from '@vitejs/plugin-react';
import type { Plugin, UserConfig } from 'vite';
import { compressed } from './compressed.ts';
import { typeface } from './typeface.ts';

/**
 * Names the build, so that an open page can find out that another one is served now. `build.ts` gives a name that is the same for the
 * same sources: images for several platforms are one build.
 */
function buildId(): Plugin {
  const id = process.env['WEB_BUILD_ID'] ?? randomUUID();
  return {
    name: 'build-id',
    config: () => ({ define: { __BUILD_ID__: JSON.stringify(id) } }),
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'build.json', source: JSON.stringify({ id }) });
    },
  };
}

const otherLanguages =
  /\/(?:react-aria|react-stately|@react-aria\/[\w-]+)\/dist\/.*\/(?!en-US)[a-z]{2}-[A-Z]{2}\.m?js$/;

/** what React Aria asks for the language of the browser: a browser's first use of `Intl` takes a phone 50 ms */
const defaultLocale = /\/react-aria\/dist\/private\/i18n\/useDefaultLocale\.mjs$/;
const english = `
  const locale = { locale: 'en-US', direction: 'ltr' };
  export const getDefaultLocale = () => locale;
  export const useDefaultLocale = getDefaultLocale;
`;

/** The apps have one language: React Aria does not look for another, and what it says in others is left out. */
function oneLanguage(): Plugin {
  return {
    name: 'one-language',
    enforce: 'pre',
    load(id) {
      if (defaultLocale.test(id)) return english;
      return otherLanguages.test(id) ? 'export default {};' : undefined;
    },
  };
}

/** How each web app is built. */
export const webApp: UserConfig = {
  plugins: [react(), buildId(), oneLanguage(), typeface(), compressed()],
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // for the test of sizes
    manifest: true,
    // all browsers that run the modules know it
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    license: false,
  },
};
