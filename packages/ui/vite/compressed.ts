import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];

/** below which the headers of an answer are more than what is saved */
const leastBytes = 512;
/** what is compressed by itself already is left alone; the document is made for each answer */
const isCompressible = /\.(js|css|svg|json)$/;

/** Writes each file by Brotli and gzip as well: the server has no time to compress as well as this. */
export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const files = Object.values(bundle).filter(({ fileName }) => isCompressible.test(fileName));
        await Promise.all(
          files.map(async (file) => {
            const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
            if (content.byteLength < leastBytes) return;
            const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength };
            const [brotli, gzipped] = await Promise.all([
              toBrotli(content, { params }),
              toGzip(content, { level: 9 }),
            ]);
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotli });
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipped });
          }),
        );
      },
    },
  };
}
