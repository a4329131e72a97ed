import type { HtmlTagDescriptor, Plugin } from 'vite';

/** Names the code that a small first script imports in the document, so that both come at the same time. */
export function firstLoad(): Plugin {
  return {
    name: 'first-load',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, chunk: entry }) {
        const [files, styles] = [new Set<string>(), new Set<string>()];
        const add = (fileName: string) => {
          const one = bundle[fileName];
          if (one?.type !== 'chunk' || one === entry || files.has(fileName)) return;
          files.add(fileName);
          for (const style of one.viteMetadata?.importedCss ?? []) styles.add(style);
          one.imports.forEach(add);
        };
        entry?.dynamicImports.forEach(add);
        const tag = (rel: string, fileName: string): HtmlTagDescriptor => ({
          tag: 'link',
          attrs: { rel, crossorigin: true, href: `/${fileName}` },
          injectTo: 'head',
        });
        // what the script itself needs is there already
        const named = (names: Set<string>) => [...names].filter((name) => !html.includes(`/${name}"`));
        return [
          ...named(styles).map((name) => tag('stylesheet', name)),
          ...named(files).map((name) => tag('modulepreload', name)),
        ];
      },
    },
  };
}
