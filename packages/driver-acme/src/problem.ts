import { z } from 'zod';
import type { HttpAnswer } from './http.ts';

/** What authorities say of failures (RFC 8555, 6.7), and when they want to be asked again. */

const text = z.string().transform((said) => said.slice(0, 300));
const problemSchema = z.object({
  type: text.catch(''),
  detail: text.optional().catch(undefined),
  subproblems: z
    .array(
      z.object({
        detail: text.optional().catch(undefined),
        identifier: z.object({ value: text }).optional().catch(undefined),
      }),
    )
    .max(200)
    .optional()
    .catch(undefined),
});

/** the longest pause that an authority can ask for, in seconds: its limits count by the week */
const longestHold = 7 * 24 * 60 * 60;

export class AcmeProblem extends Error {
  /** the last part of its type, such as `rateLimited` */
  readonly type: string;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(answer: HttpAnswer, now: Date) {
    const body = parseJson(answer.body);
    super(`the authority refuses: ${describeProblem(body) ?? `status ${answer.status}`}`);
    this.type = problemType(body);
    this.status = answer.status;
    this.retryAfterSeconds = readRetryAfter(answer, now);
  }
}

export function describeProblem(document: unknown): string | undefined {
  const { data: problem } = problemSchema.safeParse(document);
  if (!problem || (problem.type === '' && problem.detail === undefined)) return undefined;
  const parts = (problem.subproblems ?? [])
    .slice(0, 3)
    .map(({ identifier, detail }) => `${identifier?.value ?? 'one name'}: ${detail ?? 'no reason'}`);
  const said = [problem.detail ?? 'no reason', ...parts].join('; ');
  return `${said} (${problemType(document) || 'no type'})`;
}

function problemType(document: unknown): string {
  const { data: problem } = problemSchema.safeParse(document);
  return problem?.type.split(':').at(-1) ?? '';
}

/** Seconds from now on, of a number or of a date; undefined where the answer does not say. */
export function readRetryAfter(answer: HttpAnswer, now: Date): number | undefined {
  const said = answer.header('retry-after')?.trim();
  if (said === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(said) ? Number(said) : (Date.parse(said) - now.getTime()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.min(longestHold, Math.max(0, seconds));
}

export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
