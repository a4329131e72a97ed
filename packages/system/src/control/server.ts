import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { readLines, writeLine } from './lines.ts';
import type { ControlAnswer, ControlRequest, LogLine } from './protocol.ts';

interface ServerOptions<Request extends object, Status> {
  /** the program's own socket */
  path: string;
  status: () => Status;
  /** Does what the agent asks for; what it throws is the answer. */
  carryOut: (request: ControlRequest<Request>) => Promise<void>;
  /** called when an agent has gone */
  onGone: () => void;
}

/** Does what the agent says that has come last: one that comes later has the node's lock, so the former is gone. */
export class ControlServer<Request extends object, Status> {
  readonly #options: ServerOptions<Request, Status>;
  readonly #server: Server;
  #agent: Socket | null = null;
  /** Requests are carried out one after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: ServerOptions<Request, Status>) {
    this.#options = options;
    this.#server = createServer((socket) => this.#welcome(socket));
  }

  get hasAgent(): boolean {
    return this.#agent !== null;
  }

  async open(): Promise<void> {
    const { path } = this.#options;
    // of a process that had the same pid
    await rm(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(path, resolve);
    });
  }

  /** Reported to the agent, if there is one. */
  log(...line: LogLine): void {
    this.#tell({ log: line });
  }

  /** Tells the agent, if there is one, how the program is now. */
  tellStatus(): void {
    this.#tell({ status: this.#options.status() });
  }

  #welcome(socket: Socket): void {
    this.#agent?.destroy();
    this.#agent = socket;
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (this.#agent === socket) this.#agent = null;
      this.#options.onGone();
    });
    this.tellStatus();
    readLines(socket, (message) => {
      if (typeof message !== 'object' || message === null) throw new Error('a request is an object');
      this.#last = this.#last.then(() => this.#carryOut(socket, message as ControlRequest<Request>));
    });
  }

  async #carryOut(socket: Socket, request: ControlRequest<Request>): Promise<void> {
    if (this.#agent !== socket) return;
    const { id } = request;
    const { carryOut, status } = this.#options;
    try {
      await carryOut(request);
      this.#answer(socket, { id, status: status() });
    } catch (error) {
      this.#answer(socket, { id, error: error instanceof Error ? error.message : String(error) });
    }
  }

  #tell(answer: ControlAnswer<Status>): void {
    if (this.#agent !== null) this.#answer(this.#agent, answer);
  }

  #answer(socket: Socket, answer: ControlAnswer<Status>): void {
    writeLine(socket, answer);
  }
}
