import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from '@prometheus-io/client';
import { createApp, listen, productVersion } from '@sluice/http';
import { NotReady, traceService, type Log, type RunningService } from '@sluice/service';
import compression from 'compression';
import type { Request, Response } from 'express';
import express from 'express';
import type { ConsoleEnvironment } from './config.ts';
import { browserHeaders } from './features/browser/browser-headers.ts';
import { consoleCookies } from './features/browser/cookies.ts';
import { apiPath, originGuard } from './features/browser/origin-guard.ts';
import { filesOfReplicas } from './features/pages/files-of-replicas.ts';
import { webApp } from './features/pages/web-app.ts';
import { layerProxy } from './features/passing/layer-proxy.ts';
import { Regions } from './features/passing/regions.ts';
import { cspReports } from './features/reports/csp-reports.ts';
import { signInRoutes } from './features/sign-in/sign-in.ts';
import { mainApiClient, type AskMainApi } from './layers.ts';

/** Starts the console: its web app, and the one origin through which that reaches the three layers. */
export async function startConsole(environment: ConsoleEnvironment, log: Log): Promise<RunningService> {
  const metrics = new Registry();
  const tracing = await traceService(environment, 'console', metrics, log);
  const [leaving, stopping] = [new AbortController(), new AbortController()];
  const origin = new URL(environment.PUBLIC_URL);
  const cookies = consoleCookies(origin);
  const mainApi = mainApiClient(new URL(environment.MAIN_API_URL));
  const keptMilliseconds = environment.REGION_ADDRESS_SECONDS * 1000;
  const proxy = layerProxy({
    mainApi: new URL(environment.MAIN_API_URL),
    audit: new URL(environment.AUDIT_URL),
    regions: new Regions({ mainApi, own: environment.REGION_ADDRESSES, keptMilliseconds, log }),
    cookies,
    connectMilliseconds: environment.LAYER_CONNECT_SECONDS * 1000,
    idleMilliseconds: environment.LAYER_IDLE_SECONDS * 1000,
    stopping: stopping.signal,
    ...{ metrics, log },
  });
  const toLayers = express.Router({ caseSensitive: true });
  toLayers.use((request, response, next) =>
    request.path.startsWith(apiPath) ? proxy(request, response, next) : next(),
  );
  const app = createApp({
    document: { openapi: '3.1.0', info: { title: 'Console', version: await productVersion() }, paths: {} },
    servesDocument: false,
    browserHeaders: browserHeaders(origin),
    routers: [
      originGuard(origin),
      compression({ filter: isCompressible }),
      toLayers,
      cspReports({ metrics, bodySeconds: environment.REQUEST_BODY_SECONDS, log }),
      signInRoutes({ origin, cookies, mainApi }),
      ...webApp(environment.CONSOLE_FILES, otherReplicas(environment, origin, log)),
    ],
    readiness: { main_api: () => answers(mainApi) },
    service: 'console',
    trustedProxies: environment.TRUSTED_PROXIES,
    leaving: leaving.signal,
    ...{ metrics, log },
  });
  const server = await listen(app, {
    host: environment.HOST,
    port: environment.PORT,
    headersSeconds: environment.REQUEST_HEADERS_SECONDS,
    bodySeconds: environment.REQUEST_BODY_SECONDS,
    log,
  });
  return {
    port: server.port,
    async stop() {
      leaving.abort();
      await pause(environment.SHUTDOWN_DELAY_SECONDS * 1000);
      stopping.abort();
      await server.stop(environment.SHUTDOWN_GRACE_SECONDS);
      await tracing?.stop();
    },
  };
}

const otherReplicas = ({ CONSOLE_REPLICAS }: ConsoleEnvironment, origin: URL, log: Log) =>
  CONSOLE_REPLICAS === undefined
    ? undefined
    : filesOfReplicas({ replicas: new URL(CONSOLE_REPLICAS), host: origin.host, log });

/** What comes in its own time is not kept back until a block of it is full. */
function isCompressible(request: Request, response: Response): boolean {
  const type = String(response.getHeader('content-type'));
  return !/event-stream|ndjson/.test(type) && compression.filter(request, response);
}

async function answers(mainApi: AskMainApi): Promise<void> {
  const { status } = await mainApi({ path: '/healthz', cookie: undefined, address: undefined });
  if (status !== 200) throw new NotReady(`the Main API answers ${status}`);
}
