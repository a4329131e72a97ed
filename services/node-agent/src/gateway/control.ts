import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import type { Gateway } from './gateway.ts';
import { handOver } from './hand-over.ts';
import { readLines, writeLine } from './lines.ts';
import type { GatewayAnswer, GatewayRequest, GatewayState, GatewayStatus, LogLine } from './protocol.ts';

interface ControlOptions {
  gateway: Gateway;
  /** of the gateways of this node */
  folder: string;
  /** this gateway's socket */
  path: string;
  build: string;
  /** what was applied last, by whoever this one has taken over from */
  state: GatewayState | null;
  /** ends this process */
  end: () => void;
}

/** Does what the agent says that has come last: one that comes later has the node's lock, so the former is gone. */
export class Control {
  readonly #options: ControlOptions;
  readonly #server: Server;
  #state: GatewayState | null;
  #agent: Socket | null = null;
  /** Requests are carried out one after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: ControlOptions) {
    this.#options = options;
    this.#state = options.state;
    this.#server = createServer((socket) => this.#welcome(socket));
  }

  async open(): Promise<void> {
    const { path } = this.#options;
    // of a process that had the same pid
    await rm(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(path, resolve);
    });
  }

  /** Ends once nothing is listened to or held, unless somebody is there to say where to listen. */
  endIfUseless(): void {
    const { gateway, end } = this.#options;
    const waits = !gateway.draining && (this.#agent !== null || process.connected);
    if (Object.keys(gateway.ports).length === 0 && gateway.connections === 0 && !waits) end();
  }

  /** Told to the agent, if there is one. */
  log(...line: LogLine): void {
    if (this.#agent !== null) this.#tell(this.#agent, { log: line });
  }

  #welcome(socket: Socket): void {
    this.#agent?.destroy();
    this.#agent = socket;
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (this.#agent === socket) this.#agent = null;
      this.endIfUseless();
    });
    this.#tell(socket, { status: this.#status() });
    readLines(socket, (message) => {
      this.#last = this.#last.then(() => this.#carryOut(socket, message as GatewayRequest));
    });
  }

  async #carryOut(socket: Socket, request: GatewayRequest): Promise<void> {
    if (this.#agent !== socket) return;
    const { gateway, folder } = this.#options;
    const { id } = request;
    try {
      if ('apply' in request) {
        this.#state = { ...this.#state, ...request.apply };
        await gateway.apply(this.#state);
      } else if (this.#state !== null) {
        await handOver(request.hand_over, folder, gateway.servers, { ...this.#state, ports: gateway.ports });
        gateway.drain();
      }
      this.#tell(socket, { id, status: this.#status() });
    } catch (error) {
      this.#tell(socket, { id, error: error instanceof Error ? error.message : String(error) });
    }
  }

  #status(): GatewayStatus {
    const { gateway, build } = this.#options;
    const { ports, connections, draining } = gateway;
    return { pid: process.pid, build, ports, connections, draining };
  }

  #tell(socket: Socket, answer: GatewayAnswer): void {
    writeLine(socket, answer);
  }
}
