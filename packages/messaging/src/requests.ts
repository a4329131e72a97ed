import { randomUUID } from 'node:crypto';
import { problems, type ProblemCode } from '@sluice/contracts';
import type { NatsConnection, Msg } from '@nats-io/transport-node';
import { z } from 'zod';
import { isTransient, type Log, Problem, problem, type ProblemExtras } from '@sluice/service';
import type { SecretBox } from '@sluice/system/secrets';

/**
 * What one service asks another over NATS: a question, an answer. Both are sealed with a key that only the two have, so
 * they are believed for that, and say nothing to anybody who reads along.
 */

/** What can be asked, by name, and in what form it is answered. */
export type RequestDeclarations = Readonly<Record<string, { asks: z.ZodType; answers: z.ZodType }>>;

export type Asked<Requests extends RequestDeclarations, Name extends keyof Requests> = z.output<
  Requests[Name]['asks']
>;
export type Answered<Requests extends RequestDeclarations, Name extends keyof Requests> = z.output<
  Requests[Name]['answers']
>;

export type Ask<Requests extends RequestDeclarations> = <Name extends keyof Requests & string>(
  name: Name,
  data: Asked<Requests, Name>,
) => Promise<Answered<Requests, Name>>;

/** What is answered; `until` is when the requester stops waiting: nothing may take effect after it. */
export type RequestHandlers<Requests extends RequestDeclarations> = {
  [Name in keyof Requests]: (data: Asked<Requests, Name>, until: Date) => Promise<Answered<Requests, Name>>;
};

/** bytes of a sealed question or answer; NATS takes a megabyte unless it is configured otherwise */
const mostBytes = 900 * 1024;
/** how long an answer is waited for */
const patienceMilliseconds = 5_000;

export interface RequestOptions<Requests extends RequestDeclarations> {
  nats: NatsConnection;
  subject: string;
  box: SecretBox;
  requests: Requests;
}

const questionSchema = z.object({
  nonce: z.uuid(),
  name: z.string().max(100),
  until: z.iso.datetime(),
  data: z.unknown(),
});
const answerSchema = z.object({
  nonce: z.uuid(),
  data: z.unknown().optional(),
  problem: z
    .object({
      code: z.string().refine((code): code is ProblemCode => Object.hasOwn(problems, code)),
      extras: z.custom<ProblemExtras>((extras) => typeof extras === 'object' && extras !== null),
    })
    .optional(),
});

/**
 * How a service asks another one. A question that is refused rejects with the other's `Problem`.
 * @throws Problem `unavailable` when there is no answer in time: then it is not known whether there was an effect
 */
export function requester<Requests extends RequestDeclarations>(
  { nats, subject, box, requests }: RequestOptions<Requests>,
  milliseconds = patienceMilliseconds,
): Ask<Requests> {
  return async (name, data) => {
    const nonce = randomUUID();
    const until = new Date(Date.now() + milliseconds).toISOString();
    const question = await box.seal(JSON.stringify({ nonce, name, until, data }));
    if (question.length > mostBytes) throw problem('payload_too_large');
    const message = await nats
      .request(subject, question, { timeout: milliseconds })
      .catch((error: unknown) => Promise.reject(unanswered(error)));
    const answer = answerSchema.parse(JSON.parse(await box.open(message.string())));
    if (answer.nonce !== nonce) throw unanswered(new Error('the answer is one to another question'));
    if (answer.problem) throw problem(answer.problem.code, answer.problem.extras);
    return requests[name]?.answers.parse(answer.data) as Answered<Requests, typeof name>;
  };
}

const unanswered = (cause: unknown) =>
  Object.assign(
    problem('unavailable', {
      detail: 'The part of Sluice that keeps this does not answer; try again shortly.',
      headers: { 'retry-after': '2' },
    }),
    { cause },
  );

export interface AnswerOptions<Requests extends RequestDeclarations> extends RequestOptions<Requests> {
  /** the replicas that share the questions */
  queue: string;
  handlers: RequestHandlers<Requests>;
  /** questions that are answered at the same time; one more is refused and may be repeated */
  most: number;
  log: Log;
}

/** Answers questions. @returns ends it, when those that have come are answered */
export function answerRequests<Requests extends RequestDeclarations>(
  options: AnswerOptions<Requests>,
): () => Promise<void> {
  const { nats, subject, queue, most, log } = options;
  const answering = new Set<Promise<void>>();
  const subscription = nats.subscribe(subject, {
    queue,
    callback(error, message) {
      if (error) {
        log.warn('a request could not be received', { subject, error });
        return;
      }
      const answered: Promise<void> = answer(options, message, answering.size >= most)
        .catch((failure: unknown) => {
          log.warn('a request could not be answered', { subject, error: failure });
        })
        .finally(() => answering.delete(answered));
      answering.add(answered);
    },
  });
  return async () => {
    subscription.unsubscribe();
    await Promise.all(answering);
  };
}

async function answer<Requests extends RequestDeclarations>(
  { box, requests, handlers, log }: AnswerOptions<Requests>,
  message: Msg,
  isBusy: boolean,
): Promise<void> {
  if (message.data.length > mostBytes) throw new Error('the question is too long');
  const { nonce, name, until, data } = questionSchema.parse(JSON.parse(await box.open(message.string())));
  const outcome = async () => {
    if (isBusy) throw problem('unavailable', { headers: { 'retry-after': '1' } });
    const deadline = new Date(until);
    if (deadline.getTime() < Date.now()) throw problem('unavailable');
    const handle = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (!handle) throw problem('unavailable', { detail: 'This is not known here yet; try again later.' });
    return { data: await handle(requests[name]?.asks.parse(data) as never, deadline) };
  };
  const content = await outcome().catch((error: unknown) => ({ problem: problemOf(error, name, log) }));
  const sealed = await box.seal(JSON.stringify({ nonce, ...content }));
  if (sealed.length > mostBytes) throw new Error(`the answer to ${name} is too long`);
  message.respond(sealed);
}

function problemOf(error: unknown, name: string, log: Log): Pick<Problem, 'code' | 'extras'> {
  if (error instanceof Problem) return { code: error.code, extras: error.extras };
  log.error('a request failed', { name, error });
  return isTransient(error)
    ? { code: 'unavailable', extras: { headers: { 'retry-after': '2' } } }
    : { code: 'internal', extras: {} };
}
