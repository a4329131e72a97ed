import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';

/**
 * Makes the document bring what the first page needs: the styles of the entry and of the code that it imports are in it, so that it is
 * drawn before any script, and that code is named, so that it comes at the same time as the entry.
 * @param nonce what stands for the nonce of an answer
 */
export function firstLoad(nonce: string): Plugin {
  let styles: string[] = [];
  return {
    name: 'first-load',
    apply: 'build',
    // before Vite writes down which styles each import needs
    generateBundle: {
      order: 'pre',
      handler(_options, bundle) {
        styles = [];
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !chunk.isEntry) continue;
          for (const { viteMetadata } of [chunk, ...importedBy(chunk, bundle)])
            for (const name of viteMetadata?.importedCss ?? []) {
              const style = bundle[name];
              if (style?.type !== 'asset') continue;
              styles.push(String(style.source));
              viteMetadata?.importedCss.delete(name);
              delete bundle[name];
            }
        }
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, chunk: entry }) {
        // what the script itself needs is named already
        const named = entry
          ? importedBy(entry, bundle).filter(({ fileName }) => !html.includes(`/${fileName}"`))
          : [];
        const preloads = named.map(({ fileName }): HtmlTagDescriptor => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${fileName}` },
          injectTo: 'head',
        }));
        // they come while the styles are read
        return [
          ...preloads,
          { tag: 'style', attrs: { nonce }, children: styles.join('').trim(), injectTo: 'head' },
        ];
      },
    },
  };
}

/** The chunks that a small entry imports by `import()`, with theirs. */
function importedBy(entry: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const found = new Set<Rolldown.OutputChunk>();
  const add = (fileName: string) => {
    const one = bundle[fileName];
    if (one?.type !== 'chunk' || one === entry || found.has(one)) return;
    found.add(one);
    one.imports.forEach(add);
  };
  entry.dynamicImports.forEach(add);
  return [...found];
}
