import type { AnswerLocals } from '@sluice/http';
import { problem } from '@sluice/service';
import { documentsOf, filesOf, isHashed } from '@sluice/web-files';
import type { RequestHandler } from 'express';
import { permissionsPolicy } from '../browser/browser-headers.ts';
import { asksForDocument } from '../browser/origin-guard.ts';
import { reportsPath } from '../reports/csp-reports.ts';

/**
 * Serves the built web app: its files, and `index.html` for every document that is none of them.
 * @param folder where they are
 * @param ofReplicas answers with a file that is of another build, if one of the other replicas has it
 * @throws Error when there is no index.html, or none with a place for the nonce
 */
export function webApp(folder: string, ofReplicas?: RequestHandler): RequestHandler[] {
  const documents = readDocuments(folder);
  const files = filesOf(folder);
  return [
    (request, response, next) => {
      if (!['GET', 'HEAD'].includes(request.method) || isIndex(request.path)) return next();
      files(request, response, next);
    },
    (request, response, next) => {
      if (!ofReplicas || request.method !== 'GET' || !isHashed(request.path)) return next();
      return ofReplicas(request, response, next);
    },
    (request, response) => {
      if (!asksForDocument(request)) throw problem('unknown_path');
      (response.locals as AnswerLocals).operation = 'document';
      const { html, policy } = documents();
      response.setHeader('content-security-policy', policy);
      response.setHeader('permissions-policy', permissionsPolicy);
      response.setHeader('reporting-endpoints', `csp="${reportsPath}"`);
      response.type('html').send(html);
    },
  ];
}

/** The file itself, and what a build has made of it beforehand. */
const isIndex = (path: string) => path === '/' || /^\/index\.html(\.|$)/i.test(path);

function readDocuments(folder: string) {
  try {
    return documentsOf(folder, {
      formAction: 'self',
      reports: [`report-uri ${reportsPath}`, 'report-to csp'],
    });
  } catch (error) {
    throw new Error(`CONSOLE_FILES: there is no web app in ${folder}`, { cause: error });
  }
}
