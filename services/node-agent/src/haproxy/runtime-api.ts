import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Protocol } from '@sluice/contracts';

/** How long HAProxy may take to answer. Milliseconds. */
const answerLimit = 4_000;
/** So many characters of a command fit into HAProxy's buffer, with what is around them. */
const longestCommand = 8_000;

/** A connection that HAProxy holds. */
export interface Session {
  id: string;
  protocol: Protocol;
  /** where it comes from */
  address: string;
  /** Whether it is still on its way to the broker. */
  connects: boolean;
}

/** HAProxy counts and lists one after the other, and connections come and go: what differs so often in a row is not that. */
const mostDifferences = 20;

/** A line of `show sess`: of the broker's side the first number is its state. */
const sessionLine = /^(0x[0-9a-f]+): proto=tcp\S* src=(\S+):\d+ fe=(broker_\w+) .* scb=\[(\d+),/gm;
/** the state of a side that is connected; those before lead to it */
const established = 8;

/** Connections are listed in a form that is not known here: nobody can say who they are. */
class NotUnderstood extends Error {
  constructor() {
    super('HAProxy counts more connections than can be read from its list');
  }
}

interface Asked {
  resolve: (answer: string) => void;
  reject: (error: Error) => void;
}

/** What HAProxy writes after each answer, and before each further line that a command brings. */
const prompt = '\n> ';
const linePrompts = /^(?:\+ )+/;

/**
 * HAProxy's runtime API over its unix socket, by one connection: an HAProxy that has been told to listen no more takes no new ones,
 * but goes on to answer those that it has.
 */
export class RuntimeApi {
  readonly #socket: Socket;
  /** whose answers are to come, the next first */
  readonly #asked: Asked[] = [];
  #text = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    socket
      .on('error', () => undefined)
      .once('close', () => {
        for (const { reject } of this.#asked.splice(0)) reject(new Error('HAProxy does not answer any more'));
      });
  }

  /** Resolves once HAProxy has answered. @throws Error when nobody listens there */
  static async open(path: string): Promise<RuntimeApi> {
    const socket = connect(path);
    await once(socket, 'connect');
    const api = new RuntimeApi(socket);
    await api.ask('prompt');
    // it is closed with this process
    await api.ask('set timeout cli 24d');
    return api;
  }

  /** Calls `then` when HAProxy answers no more. */
  onClose(then: () => void): void {
    this.#socket.once('close', then);
  }

  /** Answers what HAProxy says to a command. @throws Error when it does not in time; then it is not asked any more */
  async ask(command: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    if (!this.#socket.writable) throw new Error('HAProxy does not answer any more');
    this.#asked.push({ resolve, reject });
    const late = setTimeout(() => this.#socket.destroy(), answerLimit);
    // a command that brings lines of its own ends with an empty one
    this.#socket.write(`${command}\n`);
    try {
      return await promise;
    } finally {
      clearTimeout(late);
    }
  }

  #read(text: string): void {
    const answers = (this.#text + text).split(prompt);
    this.#text = answers.pop() ?? '';
    for (const answer of answers) this.#asked.shift()?.resolve(answer.replace(linePrompts, '').trim());
  }

  /** Puts these entries in the place of those that a map has, all at once. */
  async replaceMap(name: string, entries: readonly string[]): Promise<void> {
    const [, version] = /^New version created: (\d+)/.exec(await this.ask(`prepare map ${name}`)) ?? [];
    if (version === undefined) throw new Error(`HAProxy has no map ${name}`);
    for (const lines of inPieces(entries))
      await this.#expectSilence(`add map @${version} ${name} <<\n${lines}\n`);
    await this.#expectSilence(`commit map @${version} ${name}`);
  }

  /**
   * All connections that there were when this was called.
   * @throws NotUnderstood when HAProxy has more by its own count
   */
  async sessions(): Promise<Session[]> {
    for (let look = 0; look < mostDifferences; look++) {
      const [before, list, after] = await Promise.all([
        this.#counted(),
        this.ask('show sess'),
        this.#counted(),
      ]);
      const sessions = sessionsOf(list);
      if (sessions.length >= Math.min(before, after)) return sessions;
    }
    throw new NotUnderstood();
  }

  /** Cuts these connections. Some may have ended by themselves. */
  async cut(sessions: readonly Session[]): Promise<void> {
    await Promise.all(sessions.map(({ id }) => this.ask(`shutdown session ${id}`)));
  }

  /** How many connections can be read from the list: one that listens no more counts others as well. */
  async listed(): Promise<number> {
    return sessionsOf(await this.ask('show sess')).length;
  }

  /** How many connections there are. */
  async count(): Promise<number> {
    return (await this.#counted()) || 0;
  }

  /** NaN where HAProxy does not say it. */
  async #counted(): Promise<number> {
    return Number(/^CurrConns: (\d+)$/m.exec(await this.ask('show info'))?.[1] ?? NaN);
  }

  async #expectSilence(command: string): Promise<void> {
    const answer = await this.ask(command);
    if (answer !== '') throw new Error(`HAProxy refuses ${command.split('\n')[0]}: ${answer}`);
  }
}

function sessionsOf(list: string): Session[] {
  return [...list.matchAll(sessionLine)].map(([, id = '', address = '', protocol, side]) => ({
    id,
    address,
    // each protocol has the frontend that bears its name
    protocol: protocol as Protocol,
    connects: Number(side) < established,
  }));
}

/** Lines, joined to pieces that a command has room for. */
function inPieces(lines: readonly string[]): string[] {
  const pieces: string[] = [];
  for (const line of lines) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + line.length < longestCommand)
      pieces[pieces.length - 1] = `${last}\n${line}`;
    else pieces.push(line);
  }
  return pieces;
}
