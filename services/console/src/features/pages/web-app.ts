import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnswerLocals } from '@sluice/http';
import { problem } from '@sluice/service';
import type { RequestHandler } from 'express';
import sirv from 'sirv';
import { asksForDocument } from '../browser/origin-guard.ts';
import { reportsPath } from '../reports/csp-reports.ts';

/** in index.html, where the nonce of a document goes */
const nonceToken = '__CSP_NONCE__';

/** of the files whose names change with their content */
const hashed = /^\/assets\/[\w.-]+[-.][\w-]{8,}\.\w+$/;

/** What a document of the console may do: run and load what is of its own origin, and nothing from anywhere else. */
const documentPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    `report-uri ${reportsPath}`,
    'report-to csp',
  ].join('; ');

/**
 * Serves the built web app: its files, and `index.html` for every document that is none of them.
 * @param folder where they are
 * @param ofReplicas answers with a file that is of another build, if one of the other replicas has it
 * @throws Error when there is no index.html, or none with a place for the nonce
 */
export async function webApp(folder: string, ofReplicas?: RequestHandler): Promise<RequestHandler[]> {
  const index = await readIndex(folder);
  const files = sirv(folder, {
    brotli: true,
    gzip: true,
    etag: true,
    // its one page is made for each document
    extensions: [],
    setHeaders: (response, path) =>
      void response.setHeader('cache-control', hashed.test(path) ? immutable : 'no-cache'),
  });
  return [
    (request, response, next) => {
      if (!['GET', 'HEAD'].includes(request.method) || isIndex(request.path)) return next();
      files(request, response, next);
    },
    (request, response, next) => {
      if (!ofReplicas || request.method !== 'GET' || !hashed.test(request.path)) return next();
      return ofReplicas(request, response, next);
    },
    (request, response) => {
      if (!asksForDocument(request)) throw problem('unknown_path');
      (response.locals as AnswerLocals).operation = 'document';
      const nonce = randomBytes(16).toString('base64');
      response.setHeader('content-security-policy', documentPolicy(nonce));
      response.setHeader('reporting-endpoints', `csp="${reportsPath}"`);
      response.type('html').send(index.replaceAll(nonceToken, nonce));
    },
  ];
}

/** of a file that a year later has the same content */
const immutable = 'public, max-age=31536000, immutable';

/** The file itself, and what a build has made of it beforehand. */
const isIndex = (path: string) => path === '/' || /^\/index\.html(\.|$)/i.test(path);

async function readIndex(folder: string): Promise<string> {
  const index = await readFile(join(folder, 'index.html'), 'utf8').catch((error: unknown) => {
    throw new Error(`CONSOLE_FILES: there is no web app in ${folder}`, { cause: error });
  });
  if (!index.includes(nonceToken)) throw new Error(`CONSOLE_FILES: index.html has no ${nonceToken}.`);
  return index;
}
