import { once } from 'node:events';
import type { Socket } from 'node:net';
import { haproxyProgram } from '@sluice/embedded';
import { testFolder } from '@sluice/testing';
import { Gateway } from '../src/gateway/gateway.ts';
import type { GatewayState } from '../src/gateway/protocol.ts';
import type { SteeredGateway } from '../src/gateway/steered-gateway.ts';
import { HaproxyGateway } from '../src/haproxy/haproxy-gateway.ts';

/** Something to make a gateway of. */
export interface GatewayKind {
  name: string;
  create: () => Promise<SteeredGateway & { close: () => unknown }>;
  /** what it has to know besides */
  state: Partial<GatewayState>;
  /** what makes an agent take it */
  environment: Record<string, string>;
  /** Whether it resets whom it cuts; if not, it closes the connection as it likes. */
  resets: boolean;
}

export const haproxy = await haproxyProgram();

/** Calls `tests` for each kind of gateway that this machine can have. */
export function describeGateways(tests: (kind: GatewayKind) => void): void {
  describe('the built-in gateway', () => {
    const create = async () => new Gateway({ log: () => undefined });
    tests({ name: 'built-in', create, state: {}, environment: {}, resets: true });
  });
  describeHaproxy((program) => {
    const create = async () => new HaproxyGateway({ log: () => undefined }, await testFolder());
    const environment = { AGENT_GATEWAY: 'haproxy', AGENT_HAPROXY_PATH: program };
    tests({ name: 'HAProxy', create, state: { haproxy: program }, environment, resets: false });
  });
}

/** Calls `tests` with the program, or tells that there is none on this machine and none to be had. */
export function describeHaproxy(tests: (program: string) => void): void {
  if (haproxy !== undefined) describe('HAProxy', () => tests(haproxy));
  else test.skip('HAProxy: there is none on this machine, and no Debian package to be had', () => undefined);
}

/** Waits until a gateway has cut a connection. */
export async function untilCut(socket: Socket, { resets }: GatewayKind): Promise<void> {
  if (socket.readableEnded || socket.closed) return;
  const closed = once(socket.resume(), 'close');
  if (resets) await expect(closed).rejects.toThrow(/ECONNRESET/);
  // who is told that nothing more will come has nothing more to say
  else await Promise.race([once(socket, 'end'), closed]).catch(() => undefined);
}
