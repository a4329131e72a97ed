import { randomUUID } from 'node:crypto';
import type { DeploymentId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { callerName, isAllowed, type Call, type TakeOver } from '@sluice/http';
import { Problem, problem } from '@sluice/service';
import { WebSocketServer } from 'ws';
import type { DeploymentPath } from '../deployment-rules.ts';
import type { ViewOptions } from '../deployments/deployment-view.ts';
import type { Shared } from '../shared.ts';
import { getDeployment, nameAndCode, subjectsOf } from '@sluice/region-store/deployments.store';
import { connectToBroker } from './broker-connection.ts';
import { findAdmitting } from './broker-sessions.store.ts';
import { mostFrameBytes, Relay, type SessionEnd } from './relay.ts';

export interface BrokerSessionsOptions extends Pick<Shared, 'database' | 'work' | 'log'> {
  view: ViewOptions;
  /** of pages that may open sessions */
  origins: readonly string[];
  limits: { sessions: number; ofCaller: number; bytesPerSecond: number; idleSeconds: number };
  /** aborted when the service is about to stop */
  leaving: AbortSignal;
}

type Opening = Pick<
  Call<DeploymentPath, unknown, unknown, Caller>,
  'caller' | 'params' | 'address' | 'signal' | 'allowed' | 'webSocket'
>;

interface Session {
  deploymentId: DeploymentId;
  caller: string;
  address: string;
  allowed: () => Promise<unknown>;
  /** absent while it is being opened */
  relay?: Relay;
}

/** Rights and rules that are gone end a session within a second. */
const reviewMilliseconds = 400;

export type BrokerSessions = ReturnType<typeof brokerSessions>;

/** WebSockets between callers and brokers, through this region. */
export function brokerSessions(options: BrokerSessionsOptions) {
  const { database, work, view, origins, limits, leaving, log } = options;
  const sessions = new Set<Session>();
  const closing = new Set<Promise<void>>();
  const handshakes = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: mostFrameBytes,
    perMessageDeflate: false,
  });
  let reviewing = false;
  leaving.addEventListener('abort', () => endAll('stopping'));

  const endAll = (reason: SessionEnd) => {
    for (const { relay } of sessions) relay?.end(reason);
  };

  function requirePlace(deploymentId: DeploymentId, caller: string): void {
    const headers = { 'retry-after': '5' };
    const count = (is: (session: Session) => boolean) => [...sessions].filter(is).length;
    const ofDeployment = 5 * limits.ofCaller;
    if (count((session) => session.caller === caller) >= limits.ofCaller)
      throw problem('rate_limited', {
        detail: `The caller has ${limits.ofCaller} sessions here already.`,
        headers,
      });
    if (count((session) => session.deploymentId === deploymentId) >= ofDeployment)
      throw problem('rate_limited', {
        detail: `The deployment has ${ofDeployment} sessions here already.`,
        headers,
      });
    if (sessions.size >= limits.sessions || leaving.aborted)
      throw problem('unavailable', { detail: 'Too many sessions are open here.', headers });
  }

  /** Ends what may not go on. While the database or the grants cannot be asked sessions stay. */
  async function review(): Promise<void> {
    const rules = await findAdmitting(database, [
      ...new Set([...sessions].map(({ deploymentId }) => deploymentId)),
    ]);
    const ofDeployment = Map.groupBy(rules, ({ deployment_id }) => deployment_id);
    for (const { relay, deploymentId, address } of sessions) {
      const found = ofDeployment.get(deploymentId);
      if (!found) relay?.end('deleted');
      else if (!found.some(({ cidr_blocks }) => isAllowed(address, cidr_blocks ?? [])))
        relay?.end('address_not_admitted');
      else if (relay?.isIdle) relay.end('idle');
    }
    await Promise.all(
      [...sessions].map(async ({ relay, allowed }) => {
        await allowed().catch((error: unknown) => {
          if (error instanceof Problem && error.status < 500)
            relay?.end(error.status === 404 ? 'deleted' : 'forbidden');
        });
      }),
    );
  }

  async function reviewAll(): Promise<void> {
    if (reviewing) return;
    reviewing = true;
    try {
      await review();
    } catch (error) {
      log.warn('the sessions with brokers could not be reviewed', { error });
    } finally {
      reviewing = false;
    }
  }

  let timer: NodeJS.Timeout | undefined;
  const enter = (session: Session) => {
    sessions.add(session);
    timer ??= setInterval(() => void reviewAll(), reviewMilliseconds);
  };
  const leave = (session: Session) => {
    sessions.delete(session);
    if (sessions.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    /**
     * Opens a session: the broker is connected to before the client is answered.
     * @throws Problem `upgrade_required`, `origin_not_allowed`, `address_not_admitted`, `state_conflict`, `broker_unreachable`,
     *   `rate_limited` and `unavailable` where there are too many
     */
    async open({ caller, params, address, signal, allowed, webSocket }: Opening): Promise<TakeOver> {
      const { deployment_id: id } = params;
      if (webSocket.isOffered && webSocket.origin !== null && !origins.includes(webSocket.origin))
        throw problem('origin_not_allowed');
      const rules = await findAdmitting(database, [id]);
      const from = address ?? '';
      if (rules.length === 0) throw problem('state_conflict', { detail: 'The deployment is being deleted.' });
      if (!rules.some(({ cidr_blocks }) => isAllowed(from, cidr_blocks ?? [])))
        throw problem('address_not_admitted');
      const session: Session = { deploymentId: id, caller: callerName(), address: from, allowed };
      requirePlace(id, session.caller);
      if (!webSocket.isOffered) {
        // browsers say nothing of a refused upgrade: a page then asks in this way why
        (await connectToBroker(database, view, id)).terminate();
        throw problem('upgrade_required', { headers: { upgrade: 'websocket' } });
      }
      enter(session);
      try {
        const broker = await connectToBroker(database, view, id);
        const deployment = await getDeployment(database, id);
        const about = { ...nameAndCode(deployment), session: randomUUID(), address: from };
        await work(caller, (tx) => {
          tx.emit('broker_session_opened', subjectsOf(deployment), about);
          return Promise.resolve();
        }).catch((error: unknown) => {
          broker.terminate();
          throw error;
        });
        const begun = performance.now();
        const ended = (reason: SessionEnd, bytes = { sent: 0, received: 0 }) => {
          leave(session);
          const seconds = Math.round(performance.now() - begun) / 1_000;
          const counted = { reason, seconds, bytes_sent: bytes.sent, bytes_received: bytes.received };
          const recorded = work({ cause: caller.cause }, (tx) => {
            tx.emit('broker_session_closed', subjectsOf(deployment), { ...about, ...counted });
            return Promise.resolve();
          }).catch(
            (error: unknown) => void log.error('the end of a session could not be recorded', { error }),
          );
          closing.add(recorded);
          void recorded.finally(() => closing.delete(recorded));
        };
        return (request, socket, head) => {
          const give = () => {
            broker.terminate();
            ended('gone');
          };
          // a handshake that is not one, or a client that has left meanwhile
          if (signal.aborted || socket.destroyed) return give();
          socket.once('close', give);
          handshakes.handleUpgrade(request, socket, head, (client) => {
            socket.off('close', give);
            client.on('error', () => undefined);
            session.relay = new Relay({
              ...{ client, broker, bytesPerSecond: limits.bytesPerSecond },
              idleMilliseconds: limits.idleSeconds * 1_000,
              ended: (reason) => ended(reason, session.relay?.bytes),
            });
            if (leaving.aborted) session.relay.end('stopping');
            // what has changed since the request was authorized
            void reviewAll();
          });
        };
      } catch (error) {
        leave(session);
        throw error;
      }
    },

    /** Resolves once the end of each session is recorded. */
    async stop(): Promise<void> {
      endAll('stopping');
      await Promise.all(closing);
    },
  };
}
