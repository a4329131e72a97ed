import type { Caller } from '@sluice/grants';
import type { RawContent } from './raw-answer.ts';
import type { TakeOver } from './upgrades.ts';

/** Types that turn the generated `operations` of an OpenAPI document into the types of its handlers. */

interface OperationShape {
  parameters: { query?: unknown; path?: unknown };
  requestBody?: unknown;
  responses: unknown;
}

type JsonOf<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : undefined;
type SuccessStatus = 101 | 200 | 201 | 202 | 204 | 303;

/** What a handler answers. This package writes it; handlers never see the response object. */
export interface Answer<Status extends number = number, Body = unknown> {
  status: Status;
  body: Body;
  headers?: Record<string, string | string[]>;
  /** in the place of a body that is JSON */
  raw?: RawContent;
  /** of operations that open a WebSocket: takes the connection over, in the place of a body */
  takeOver?: TakeOver;
}

type AnswerOf<Responses> = {
  [Status in keyof Responses & SuccessStatus]: Answer<Status, JsonOf<Responses[Status]>>;
}[keyof Responses & SuccessStatus];

/** A request that has been authenticated, authorized and validated. */
export interface Call<Params = unknown, Query = unknown, Body = unknown, Who = Caller> {
  caller: Who;
  /** the ids of the path, by name */
  params: Params;
  query: Query;
  body: Body;
  /** the cookies that came with the request */
  cookies: Record<string, string | undefined>;
  /** path and query as they came, for links to neighbouring pages */
  url: string;
  /** the address that the request came from; IPv4 without its form in IPv6 */
  address: string | null;
  /** aborted when the client goes away before the answer */
  signal: AbortSignal;
  /**
   * Of operations with `x-if-match`: called under the lock with what a GET would answer now, without the fields of `x-if-match-without`; null for nothing.
   * @throws Problem `changed_meanwhile` when the caller's `If-Match` names another, or `If-None-Match` this one
   */
  ifMatch: (representation: () => unknown) => void;
  /** whether the connection can become a WebSocket's, and which page asks for that; null for what is no browser */
  webSocket: { isOffered: boolean; origin: string | null };
  /** what an event source that comes again has seen last */
  lastEventId: string | undefined;
  /** The caller as they are now; rejects with a Problem once they may no longer have what was asked for: for answers that go on for long. */
  allowed: () => Promise<Who>;
}

/** The ids in the path of an operation, by name. */
export type ParamsOf<Op extends OperationShape> = NonNullable<Op['parameters']['path']>;
export type QueryOf<Op extends OperationShape> = NonNullable<Op['parameters']['query']>;
export type BodyOf<Op extends OperationShape> = JsonOf<NonNullable<Op['requestBody']>>;

export type Handler<Op extends OperationShape, Who = Caller> = (
  call: Call<ParamsOf<Op>, QueryOf<Op>, BodyOf<Op>, Who>,
) => Promise<AnswerOf<Op['responses']>>;

/**
 * One handler for each operation of a document. A feature declares its own with
 * `satisfies Partial<Handlers<operations>>`; where a service puts them together, one left out does not compile.
 */
export type Handlers<Ops extends { [Id in keyof Ops]: OperationShape }, Who = Caller> = {
  [Id in keyof Ops]: Handler<Ops[Id], Who>;
};
