import { ControlServer, type LogLine } from '@sluice/system/control';
import type { Gateway } from './gateway.ts';
import { handOver } from './hand-over.ts';
import type { GatewayRequest, GatewayState, GatewayStatus } from './protocol.ts';

interface ControlOptions {
  gateway: Gateway;
  folder: string;
  path: string;
  build: string;
  state: GatewayState | null;
  end: () => void;
}

export class Control {
  readonly #options: ControlOptions;
  readonly #server: ControlServer<GatewayRequest, GatewayStatus>;
  #state: GatewayState | null;

  constructor(options: ControlOptions) {
    this.#options = options;
    this.#state = options.state;
    this.#server = new ControlServer({
      path: options.path,
      status: () => this.#status(),
      carryOut: (request) => this.#carryOut(request),
      onGone: () => this.endIfUseless(),
    });
  }

  open(): Promise<void> {
    return this.#server.open();
  }

  /** Ends once nothing is listened to or held, unless an agent, or the process that started this one, may still say where to listen. */
  endIfUseless(): void {
    const { gateway, end } = this.#options;
    const waits = !gateway.draining && (this.#server.hasAgent || process.connected);
    if (Object.keys(gateway.ports).length === 0 && gateway.connections === 0 && !waits) end();
  }

  log(...line: LogLine): void {
    this.#server.log(...line);
  }

  async #carryOut(request: GatewayRequest): Promise<void> {
    const { gateway, folder } = this.#options;
    if ('apply' in request) {
      this.#state = { ...this.#state, ...request.apply };
      await gateway.apply(this.#state);
    } else if (this.#state !== null) {
      const state = { ...this.#state, ports: gateway.ports };
      await handOver(request.hand_over, folder, gateway.servers, state);
      gateway.drain();
    }
  }

  #status(): GatewayStatus {
    const { gateway, build } = this.#options;
    const { ports, connections, draining } = gateway;
    return { pid: process.pid, build, ports, connections, draining };
  }
}
