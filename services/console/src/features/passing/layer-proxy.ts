import { Agent as HttpAgent, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { asksForUpgrade, cookiesOf, handOver, type AnswerLocals } from '@sluice/http';
import { currentTraceparent, problem, type Log } from '@sluice/service';
import { Counter, type Registry } from '@prometheus-io/client';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware, type RequestHandler as Proxy } from 'http-proxy-middleware';
import { away } from '../../layers.ts';
import type { ConsoleCookies } from '../browser/cookies.ts';
import { headersFromLayer, headersToLayer, policyOf } from './passed-headers.ts';
import { destinationOf, type Destination } from './path.ts';
import type { Regions } from './regions.ts';

export interface LayerProxyOptions {
  mainApi: URL;
  audit: URL;
  regions: Regions;
  cookies: ConsoleCookies;
  connectMilliseconds: number;
  idleMilliseconds: number;
  /** aborted when the console stops: answers without an end are ended, so that browsers ask another replica */
  stopping: AbortSignal;
  metrics: Registry;
  log: Log;
}

/** A request that is on its way to a layer. */
interface Passing {
  destination: Destination;
  target: URL;
  name: string;
  response: Response;
  failed: (error: unknown) => void;
}

/** answers that go on for as long as the browser wants them */
const endless = /^(text\/event-stream|application\/x-ndjson)\b/;

/** Passes requests on to the three layers, with the session of the console's cookie, and their answers back, unbuffered. */
export function layerProxy(options: LayerProxyOptions): RequestHandler {
  const { regions, cookies, stopping } = options;
  const passings = new WeakMap<IncomingMessage, Passing>();
  const unreachable = new Counter({
    name: 'sluice_layer_unreachable_total',
    help: 'Requests of browsers that ended since an API could not be reached, by API and region',
    labelNames: ['layer', 'cloud', 'region'],
    registers: [options.metrics],
  });
  const held = new Set<() => void>();
  stopping.addEventListener('abort', () => held.forEach((end) => end()), { once: true });
  const connections = { keepAlive: true, maxFreeSockets: 256 };
  const proxies = {
    'http:': proxyBy(new HttpAgent(connections)),
    'https:': proxyBy(new HttpsAgent(connections)),
  };

  return async (request, response, next) => {
    const destination = destinationOf(request.originalUrl);
    (response.locals as AnswerLocals).operation = `/api/${destination.layer}`;
    const sent = cookiesOf(request);
    const cookie = cookies.forLayer(sent, destination.layer);
    const { url: target, name } = await whereIs(destination, cookie, request);
    const isUpgrade = asksForUpgrade(request);
    const added = { cookie, address: request.ip, traceparent: currentTraceparent() };
    (response.locals as AnswerLocals).passedOn = { layer: destination.layer };
    request.headers = headersToLayer(request.headers, added, isUpgrade);
    request.url = destination.path;
    passings.set(request, { destination, target, name, response, failed: next });
    const proxy = proxies[target.protocol === 'https:' ? 'https:' : 'http:'];
    const upgrade = handOver(request, response);
    if (upgrade) {
      Object.assign(response.locals as AnswerLocals, { isUpgraded: true, isHeld: true });
      proxy.upgrade(request, upgrade.socket, upgrade.head);
    } else await proxy(request, response, next);
  };

  /** The address of the layer, and what people call it. */
  async function whereIs(
    { layer, region }: Destination,
    cookie: string | undefined,
    { ip: address }: Request,
  ): Promise<{ url: URL; name: string }> {
    if (layer === 'main-api') return { url: options.mainApi, name: 'The Main API' };
    if (layer === 'audit') return { url: options.audit, name: 'The Audit API' };
    if (!region) throw problem('unknown_path');
    if (cookie === undefined) throw problem('unauthenticated', { detail: 'There is no session.' });
    const url = await regions.find(region, { cookie, address });
    return { url, name: `The region ${region.region} of ${region.cloud}` };
  }

  function proxyBy(agent: HttpAgent): Proxy<Request, Response> {
    return createProxyMiddleware<Request, Response>({
      agent,
      changeOrigin: true,
      proxyTimeout: options.idleMilliseconds,
      router: (request) => targetOf(passings.get(request)),
      on: {
        proxyReq: (outgoing) => giveUpConnecting(outgoing, options.connectMilliseconds),
        proxyReqWs: (outgoing, _request, socket) => {
          outgoing.once('socket', () => giveUpConnecting(outgoing, options.connectMilliseconds));
          outgoing.once('upgrade', (_answer, layerSocket) => endTogether(socket, layerSocket));
        },
        proxyRes: (answer, request) => void answered(answer, request),
        error: (error, request) => failed(error, request),
      },
    });
  }

  function answered(answer: IncomingMessage, request: Request): void {
    const passing = passings.get(request);
    if (!passing) return;
    const { destination, response } = passing;
    const { 'set-cookie': set = [], 'svc-request': id } = answer.headers;
    (response.locals as AnswerLocals).passedOn = {
      layer: destination.layer,
      ...(typeof id === 'string' && { request: id }),
    };
    if (endless.test(answer.headers['content-type'] ?? '')) hold(answer, response);
    const kept = destination.layer === 'main-api' ? cookies.fromMainApi(set) : [];
    const policy = policyOf(answer.headers);
    if (policy !== undefined) response.setHeader('content-security-policy', policy);
    answer.headers = {
      ...headersFromLayer(answer.headers, destination),
      // the last answer of the console ends the connection, and no layer's does
      connection: response.getHeader('connection') === 'close' ? 'close' : 'keep-alive',
      ...(kept.length > 0 && { 'set-cookie': kept }),
    };
  }

  function hold(answer: IncomingMessage, response: Response): void {
    (response.locals as AnswerLocals).isHeld = true;
    const end = () => {
      answer.unpipe(response);
      response.end();
    };
    held.add(end);
    // once they are set: a stream is open before it has anything to say
    process.nextTick(() => response.headersSent || response.destroyed || response.flushHeaders());
    response.once('close', () => held.delete(end));
    if (stopping.aborted) end();
  }

  function failed(error: Error, request: Request): void {
    const passing = passings.get(request);
    if (!passing || !request.socket.writable) return;
    const { destination, name, response } = passing;
    const { layer, region } = destination;
    unreachable.inc({ layer, cloud: region?.cloud ?? '', region: region?.region ?? '' });
    options.log.warn('an API could not be reached', { layer, ...region, reason: error.message });
    if (asksForUpgrade(request)) request.socket.destroy();
    else if (response.headersSent) response.destroy();
    else passing.failed(away(name, { layer, ...region }, error));
  }
}

function targetOf(passing: Passing | undefined): string {
  if (!passing) throw problem('internal');
  return passing.target.href;
}

/** One side of a WebSocket that has gone leaves nothing of the other. */
function endTogether(browser: Socket, layer: Socket): void {
  browser.once('close', () => layer.destroy());
  layer.once('close', () => browser.destroy());
}

/** What does not take the connection in time is away: the system itself would wait for minutes. */
function giveUpConnecting(outgoing: ClientRequest, milliseconds: number): void {
  const { socket } = outgoing;
  if (!socket?.connecting) return;
  const timer = setTimeout(() => outgoing.destroy(new Error('no connection in time')), milliseconds);
  for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
}
