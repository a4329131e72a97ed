import type { Principal } from '../grants/principal.ts';
import type { RequestContext } from '../request-context.ts';

/** Types that turn the generated `operations` of an OpenAPI document into the types of its handlers. */

interface OperationShape {
  parameters: { query?: unknown; path?: unknown };
  requestBody?: unknown;
  responses: unknown;
}

type JsonOf<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : undefined;
type SuccessStatus = 200 | 201 | 202 | 204 | 303;

/** What a handler answers. The kit writes it; handlers never see the response object. */
export interface Answer<Status extends number = number, Body = unknown> {
  status: Status;
  body: Body;
  headers?: Record<string, string | string[]>;
}

type AnswerOf<Responses> = {
  [Status in keyof Responses & SuccessStatus]: Answer<Status, JsonOf<Responses[Status]>>;
}[keyof Responses & SuccessStatus];

/** A request that has been authenticated, authorized and validated. */
export interface Call<Params = unknown, Query = unknown, Body = unknown, Caller = Principal> {
  params: Params;
  query: Query;
  body: Body;
  principal: Caller;
  context: RequestContext;
  /** the cookies that came with the request */
  cookies: Record<string, string | undefined>;
  /** path and query as they came, for links to neighbouring pages */
  url: string;
  /** aborted when the client goes away before the answer */
  signal: AbortSignal;
}

export type Handler<Op extends OperationShape, Caller = Principal> = (
  call: Call<
    NonNullable<Op['parameters']['path']>,
    NonNullable<Op['parameters']['query']>,
    JsonOf<NonNullable<Op['requestBody']>>,
    Caller
  >,
) => Promise<AnswerOf<Op['responses']>>;

/** One handler for each operation of a document, or for those named by `Ids`. */
export type Handlers<
  Ops extends { [Id in keyof Ops]: OperationShape },
  Ids extends keyof Ops = keyof Ops,
  Caller = Principal,
> = { [Id in Ids]: Handler<Ops[Id], Caller> };
