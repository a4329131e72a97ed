import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sirv from 'sirv';

/** in index.html, where the nonce of a document goes */
const nonceToken = '__CSP_NONCE__';

/** of the files whose names change with their content */
const hashed = /^\/assets\/[\w.-]+[-.][\w-]{8,}\.\w+$/;

/** Whether a path is of a file that has the same content a year later. */
export const isHashed = (path: string): boolean => hashed.test(path);

/** Serves the files of a build, with what it has compressed beforehand; its one page is made for each document. */
export const filesOf = (folder: string): ReturnType<typeof sirv> =>
  sirv(folder, {
    brotli: true,
    gzip: true,
    etag: true,
    extensions: [],
    setHeaders: (response, path) =>
      void response.setHeader(
        'cache-control',
        isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      ),
  });

export interface Document {
  html: string;
  /** the header Content-Security-Policy */
  policy: string;
}

/**
 * Reads the page of a build. What a document of it may do is to run and load what is of its own origin, and nothing from anywhere else.
 * @param formAction where forms may be sent
 * @param reports the directives that say where violations are reported
 * @returns what makes a document with a nonce of its own
 * @throws Error where there is no page, or none with a place for the nonce
 */
export function documentsOf(
  folder: string,
  { formAction, reports = [] }: { formAction: 'self' | 'none'; reports?: readonly string[] },
): () => Document {
  const index = readFileSync(join(folder, 'index.html'), 'utf8');
  if (!index.includes(nonceToken)) throw new Error(`${folder}/index.html has no ${nonceToken}.`);
  return () => {
    const nonce = randomBytes(16).toString('base64');
    const directives = [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      `form-action '${formAction}'`,
      "require-trusted-types-for 'script'",
      ...reports,
    ];
    return { html: index.replaceAll(nonceToken, nonce), policy: directives.join('; ') };
  };
}
