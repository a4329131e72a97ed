import { currentTraceparent, problem } from '@sluice/service';
import { z } from 'zod';

/** The three APIs behind the console's one origin. */
export type Layer = 'main-api' | 'audit' | 'supervisor';

/** What a layer has answered to a request of the console itself. */
export interface LayerAnswer {
  status: number;
  body: unknown;
  headers: Headers;
}

export interface LayerRequest {
  method?: 'GET' | 'POST';
  path: string;
  body?: object;
  /** the `Cookie` header */
  cookie: string | undefined;
  /** of the browser that the console asks for */
  address: string | undefined;
}

/** Asks the Main API. @throws Problem `unavailable` when it does not answer */
export type AskMainApi = (request: LayerRequest) => Promise<LayerAnswer>;

const patienceMilliseconds = 10_000;

export function mainApiClient(url: URL): AskMainApi {
  return async ({ method = 'GET', path, body, cookie, address }) => {
    const traceparent = currentTraceparent();
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(cookie !== undefined && { cookie }),
      ...(address !== undefined && { 'x-forwarded-for': address }),
      ...(traceparent !== undefined && { traceparent }),
    };
    try {
      const response = await fetch(joined(url, path), {
        ...{ method, headers, redirect: 'manual', signal: AbortSignal.timeout(patienceMilliseconds) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
      return {
        status: response.status,
        body: isJson ? JSON.parse(text) : undefined,
        headers: response.headers,
      };
    } catch (error) {
      throw away('The Main API', { layer: 'main-api' }, error);
    }
  };
}

/** An address below that of a layer. @param path from its root */
const joined = (url: URL, path: string): string => `${url.href.replace(/\/$/, '')}${path}`;

/** The answer for a layer that does not answer: the same later may work. */
export function away(name: string, extensions: Record<string, string>, cause: unknown) {
  const refused = problem('unavailable', { detail: `${name} cannot be reached right now.`, extensions });
  refused.cause = cause;
  return refused;
}

const problemSchema = z.object({ code: z.string().regex(/^[a-z_]{1,60}$/) });

/** The code of the problem that a layer has answered. */
export const codeOf = ({ body }: LayerAnswer): string =>
  problemSchema.safeParse(body).data?.code ?? 'internal';
