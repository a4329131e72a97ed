import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { Agent, fetch, type Dispatcher, type Response } from 'undici';
import { z } from 'zod';

/** The API server has answered, but not with what was asked for. */
class ClusterRefused extends Error {
  readonly status: number;

  constructor(what: string, status: number, message: string) {
    super(`the cluster refuses ${what}: ${message} (${status})`);
    this.status = status;
  }
}

export const isRefused = (error: unknown, status: number) =>
  error instanceof ClusterRefused && error.status === status;
/** What the API server says of a refusal; empty for other errors. */
export const refusalOf = (error: unknown) => (error instanceof ClusterRefused ? error.message : '');
const isRefusal = (status: number) => (error: unknown) => isRefused(error, status);
export const isForbidden = isRefusal(403);
export const isMissing = isRefusal(404);
export const isConflict = isRefusal(409);

/** Whether the API server has not answered, or has too much to do: the same may go through in a while. */
export const isAway = (error: unknown) =>
  error instanceof ClusterRefused
    ? error.status === 429 || error.status >= 500
    : (error instanceof TypeError && error.cause !== undefined) ||
      (error instanceof DOMException && error.name === 'TimeoutError');

export interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /** of the body; JSON where it says nothing */
  type?: string;
  what: string;
  /** whether it changes nothing, though it is no GET */
  isLook?: true;
  signal?: AbortSignal | undefined;
}

export interface Connection {
  /** @returns what it answers, as JSON */
  send: (request: Request) => Promise<unknown>;
  /** @returns its answer as soon as that begins; the signal ends it */
  open: (request: Request, signal: AbortSignal) => Promise<Response>;
}

/** For so long what a request needs besides its contents is used again: tokens of service accounts change by the hour. Milliseconds. */
const credentialsLast = 60_000;
const longestRequest = 30_000;

interface Credentials {
  headers: Record<string, string>;
  dispatcher: Dispatcher;
}

const statusSchema = z.object({ message: z.string().max(100_000) });
const json = 'application/json';
const longestMessage = 300;

/** How a cluster is reached: as a file says, or without one as the service account of this pod. */
export function readKubeconfig(file: string | undefined): KubeConfig {
  const config = new KubeConfig();
  if (file === undefined) config.loadFromCluster();
  else config.loadFromFile(file);
  return config;
}

export function connectTo(config: KubeConfig, stopping: AbortSignal): Connection {
  const server = config.getCurrentCluster()?.server.replace(/\/+$/, '');
  if (server === undefined) throw new Error('the kubeconfig names no cluster');
  let known: { credentials: Promise<Credentials>; until: number } | undefined;
  stopping.addEventListener('abort', () => void (known && letGo(known.credentials)), { once: true });

  async function credentials(): Promise<Credentials> {
    if (!known || performance.now() >= known.until) {
      if (known) void letGo(known.credentials);
      known = {
        credentials: newCredentials(config),
        until: performance.now() + credentialsLast,
      };
    }
    const { credentials: current } = known;
    try {
      return await current;
    } catch (error) {
      if (known?.credentials === current) known = undefined;
      throw error;
    }
  }

  async function open(request: Request, signal: AbortSignal): Promise<Response> {
    const { method, path, query, body, type = json, what } = request;
    const { headers, dispatcher } = await credentials();
    const response = await fetch(`${server}${path}?${new URLSearchParams(query).toString()}`, {
      method,
      headers: { ...headers, accept: json, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      dispatcher,
      signal,
    });
    if (response.ok) return response;
    const { data } = statusSchema.safeParse(await response.json().catch(() => undefined));
    throw new ClusterRefused(what, response.status, data?.message.slice(0, longestMessage) ?? 'no reason');
  }

  return {
    open,
    async send(request) {
      const limit = AbortSignal.timeout(longestRequest);
      const signal = request.signal ? AbortSignal.any([request.signal, limit]) : limit;
      return await (await open(request, signal)).json();
    },
  };
}

/** A connection for each watch: one that stands still holds up no other. */
async function newCredentials(config: KubeConfig): Promise<Credentials> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, servername, rejectUnauthorized, headers = {}, auth } = options;
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) sent[name] = String(value);
  if (auth) sent['authorization'] = `Basic ${Buffer.from(auth).toString('base64')}`;
  const tls = { ca, cert, key, servername, rejectUnauthorized };
  const said = Object.entries(tls).filter(([, value]) => value !== undefined);
  return {
    headers: sent,
    dispatcher: new Agent({
      allowH2: false,
      connect: { ...Object.fromEntries(said), keepAlive: true, keepAliveInitialDelay: 30_000 },
    }),
  };
}

async function letGo(credentials: Promise<Credentials>): Promise<void> {
  await credentials.then(({ dispatcher }) => dispatcher.close()).catch(() => undefined);
}
