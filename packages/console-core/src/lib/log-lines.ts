import type { LogLevel, StoredLine } from '@sluice/client';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const satisfies readonly LogLevel[];
export const logRuntimes = ['node', 'agent', 'gateway', 'broker', 'connectors'] as const;

/** A line with what tells it from others that say the same. */
export interface ShownLine extends StoredLine {
  key: number;
}

/** The newest lines of a log, so many at most. */
export class LogBuffer {
  readonly #most: number;
  #lines: ShownLine[] = [];
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** how many have come in all */
  get count(): number {
    return this.#count;
  }

  add(lines: readonly StoredLine[]): void {
    const added = lines.map((line) => ({ ...line, key: this.#count++ }));
    this.#lines = [...this.#lines, ...added].slice(-this.#most);
  }

  /** The lines as they are now, in the order in which they came. */
  get lines(): readonly ShownLine[] {
    return this.#lines;
  }
}

/** Lines as a file has them: time, level, program, node and message. */
export const logText = (lines: readonly StoredLine[], nodeName: (id: number) => string): string =>
  lines
    .map(
      ({ at, level, runtime, node_id: node, message }) =>
        `${at} ${level.toUpperCase().padEnd(5)} ${runtime} ${nodeName(node)} ${message.replaceAll('\n', String.raw`\n`)}\n`,
    )
    .join('');
