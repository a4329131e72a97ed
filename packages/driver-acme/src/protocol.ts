import { createPublicKey, type KeyObject } from 'node:crypto';
import type { JWK } from 'jose';
import { FlattenedSign } from 'jose/jws/flattened/sign';
import { z } from 'zod';
import type { HttpAnswer, HttpClient } from './http.ts';
import { AcmeProblem, parseJson, readRetryAfter } from './problem.ts';

/**
 * Requests as authorities take them (RFC 8555, 6): signed by the account's key, each with a nonce of its own. Nothing here waits and asks
 * again but for a nonce that was refused: the caller knows when to.
 */

const link = z.url({ protocol: /^https$/ }).max(2_000);
const directorySchema = z.object({
  newNonce: link,
  newAccount: link,
  newOrder: link,
  renewalInfo: link.optional(),
  meta: z.object({ termsOfService: z.string().max(2_000).optional() }).optional(),
});
export type Directory = z.infer<typeof directorySchema>;

/** Who signs: the account by its address, or by its key before it has one. */
export interface Signer {
  key: KeyObject;
  url?: string | undefined;
}

export interface AcmeAnswer {
  status: number;
  json: unknown;
  text: string;
  location: string | undefined;
  retryAfterSeconds: number | undefined;
}

interface PostOptions {
  signal: AbortSignal;
  accept?: string;
}

export type AcmeProtocol = ReturnType<typeof acmeProtocol>;

const mostNonces = 10;
const mostKeptNonces = 20;
const directoryMilliseconds = 60 * 60_000;

export function acmeProtocol(http: HttpClient, directoryUrl: string, now: () => Date) {
  let known: { directory: Directory; at: number } | undefined;
  let nonces: string[] = [];

  async function directory(signal: AbortSignal): Promise<Directory> {
    if (known && now().getTime() - known.at < directoryMilliseconds) return known.directory;
    const answer = await http.request({ method: 'GET', url: directoryUrl, signal });
    if (answer.status !== 200) throw new AcmeProblem(answer, now());
    known = { directory: parsed(directorySchema, parseJson(answer.body)), at: now().getTime() };
    return known.directory;
  }

  async function takeNonce(signal: AbortSignal): Promise<string> {
    const kept = nonces.pop();
    if (kept !== undefined) return kept;
    const { newNonce } = await directory(signal);
    const answer = await http.request({ method: 'HEAD', url: newNonce, signal });
    const fresh = answer.header('replay-nonce');
    if (fresh === undefined) throw new AcmeProblem(answer, now());
    return fresh;
  }

  function keepNonce(answer: HttpAnswer): void {
    const fresh = answer.header('replay-nonce');
    if (fresh !== undefined && fresh.length <= 500) nonces = [...nonces, fresh].slice(-mostKeptNonces);
  }

  async function post(
    signer: Signer,
    url: string,
    payload: unknown,
    { signal, accept = 'application/json' }: PostOptions,
  ): Promise<AcmeAnswer> {
    const headers = { 'content-type': 'application/jose+json', accept };
    for (let attempt = 1; ; attempt++) {
      const body = await sign(signer, url, payload, await takeNonce(signal));
      const answer = await http.request({ method: 'POST', url, headers, body, signal });
      keepNonce(answer);
      if (answer.status < 300) return read(answer);
      const problem = new AcmeProblem(answer, now());
      if (problem.type !== 'badNonce' || attempt >= mostNonces) throw problem;
    }
  }

  const read = (answer: HttpAnswer): AcmeAnswer => ({
    status: answer.status,
    json: parseJson(answer.body),
    text: answer.body,
    location: answer.header('location'),
    retryAfterSeconds: readRetryAfter(answer, now()),
  });

  return {
    directory,
    /** Posts JSON; reads what is at `url` where `payload` is null. @throws AcmeProblem when it is refused */
    post,
    async get(url: string, signal: AbortSignal): Promise<AcmeAnswer> {
      const answer = await http.request({ method: 'GET', url, signal });
      if (answer.status !== 200) throw new AcmeProblem(answer, now());
      return read(answer);
    },
  };
}

async function sign(signer: Signer, url: string, payload: unknown, nonce: string): Promise<string> {
  const who = signer.url === undefined ? { jwk: publicPart(signer.key) } : { kid: signer.url };
  const content = payload === null ? '' : JSON.stringify(payload);
  const signed = new FlattenedSign(new TextEncoder().encode(content)).setProtectedHeader({
    ...{ alg: 'ES256', nonce, url },
    ...who,
  });
  return JSON.stringify(await signed.sign(signer.key));
}

export function publicPart(key: KeyObject): JWK {
  return createPublicKey(key).export({ format: 'jwk' });
}

/** What an authority has answered. @throws Error when it is not what the protocol says */
export function parsed<Shape extends z.ZodType>(shape: Shape, json: unknown): z.infer<Shape> {
  const { success, data, error } = shape.safeParse(json);
  if (success) return data;
  const at = error.issues[0]?.path.join('.');
  throw new Error(`the authority answers what the protocol does not know${at ? ` (at ${at})` : ''}`);
}

export { link as linkSchema };
