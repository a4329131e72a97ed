import { Counter, type Registry } from '@prometheus-io/client';
import { RateLimits, readBytes, type AnswerLocals } from '@sluice/http';
import { problem, type Log } from '@sluice/service';
import type { RequestHandler } from 'express';
import { z } from 'zod';

/** Where browsers report what the policy has kept a document from. */
export const reportsPath = '/csp-reports';

const mostBytes = 16 * 2 ** 10;
/** of one body, which can have several */
const mostReports = 10;
/** what is logged; all are counted */
const logged = { perSecond: 0.2, burst: 20 };

const text = z.string().transform((value) => value.slice(0, 200));
/** both forms that browsers send (CSP 3, section 5.3 and `report-uri`) */
const shape = z.union([
  z
    .array(
      z.object({
        body: z.object({
          effectiveDirective: text,
          blockedURL: text.optional(),
          documentURL: text.optional(),
        }),
      }),
    )
    .transform((reports) =>
      reports.slice(0, mostReports).map(({ body }) => ({
        directive: body.effectiveDirective,
        blocked: body.blockedURL,
        document: body.documentURL,
      })),
    ),
  z
    .object({
      'csp-report': z
        .object({
          'effective-directive': text.optional(),
          'violated-directive': text.optional(),
          'blocked-uri': text.optional(),
          'document-uri': text.optional(),
        })
        .transform((report) => ({
          directive: report['effective-directive'] ?? report['violated-directive'] ?? '',
          blocked: report['blocked-uri'],
          document: report['document-uri'],
        })),
    })
    .transform(({ 'csp-report': report }) => [report]),
]);

const directives = new Set(
  'default-src script-src script-src-elem script-src-attr style-src style-src-elem style-src-attr connect-src img-src font-src frame-src frame-ancestors base-uri form-action require-trusted-types-for trusted-types'.split(
    ' ',
  ),
);

export interface ReportsOptions {
  metrics: Registry;
  bodySeconds: number;
  log: Log;
}

/** Counts what browsers report, and logs some of it, without queries: those may be confidential. */
export function cspReports({ metrics, bodySeconds, log }: ReportsOptions): RequestHandler {
  const counter = new Counter({
    name: 'sluice_csp_reports_total',
    help: 'Reports of browsers that the policy of a document has kept it from something, by directive',
    labelNames: ['directive'],
    registers: [metrics],
  });
  const limits = new RateLimits(logged);
  return async (request, response, next) => {
    if (request.path !== reportsPath) return next();
    (response.locals as AnswerLocals).operation = reportsPath;
    if (request.method !== 'POST') throw problem('method_not_allowed', { headers: { allow: 'POST' } });
    const bytes = await readBytes(request, response, { bytes: mostBytes, seconds: bodySeconds });
    const reports = shape.safeParse(parsed(new TextDecoder().decode(bytes))).data;
    if (!reports) throw problem('malformed_request', { detail: 'The body is no report of a policy.' });
    for (const { directive, blocked, document } of reports) {
      const known = directives.has(directive) ? directive : 'other';
      counter.inc({ directive: known });
      if (isWithin(limits))
        log.warn('a document was kept from something by its policy', {
          ...{ directive: known, blocked: withoutQuery(blocked), document: withoutQuery(document) },
        });
    }
    response.status(204).end();
  };
}

/** A keyword (`inline`, `eval`, `data`) stays as it is. */
const withoutQuery = (address: string | undefined) => address?.split(/[?#]/, 1)[0];

function isWithin(limits: RateLimits): boolean {
  try {
    limits.take('all');
    return true;
  } catch {
    return false;
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
