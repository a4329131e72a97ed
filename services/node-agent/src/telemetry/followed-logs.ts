import type { LogLine } from '@sluice/contracts';
import { z } from 'zod';
import { parsed } from '../parsed.ts';
import { trimLog } from '../trim-log.ts';
import type { ReadLine } from './lines.ts';
import { tailOf, type Tail } from './log-tail.ts';

export interface FollowedLog {
  runtime: LogLine['runtime'];
  path: string;
  /** null for a line that is not in the program's own form */
  read: (line: string) => ReadLine | null;
  /** size from which on it is cut; absent where another part does that */
  most?: number;
}

type RuntimeLine = ReadLine & Pick<LogLine, 'runtime'>;

const positionSchema = z.object({ file: z.number(), offset: z.int().min(0) });
/** Up to here an agent has read the log of each runtime. */
const positionsSchema = z.record(z.string(), positionSchema);

/** Follows several logs; each goes on where the agent before has stopped reading it. */
export class FollowedLogs {
  readonly #logs: readonly (FollowedLog & { tail: Tail })[];

  /** @param positions what `positions` was for a former agent; null for none */
  constructor(logs: readonly FollowedLog[], positions: string | null) {
    // damaged positions cost lines that come twice
    const known = parsed(positionsSchema, positions) ?? {};
    this.#logs = logs.map((log) => ({
      ...log,
      tail: tailOf(log.path, known[log.runtime] ?? null),
    }));
  }

  /** The lines since the last call, at most so many that one call is short, and how many bytes of whose log were skipped. */
  async read(): Promise<{ lines: RuntimeLine[]; skipped: [LogLine['runtime'], number][] }> {
    const read = await Promise.all(
      this.#logs.map(async ({ tail, path, most, ...log }) => {
        const { lines, skipped } = await tail.read();
        if (most !== undefined) await trimLog(path, most);
        return { log, lines, skipped };
      }),
    );
    return {
      lines: read.flatMap(({ log, lines }) => lines.flatMap((text) => lineOf(log, text))),
      skipped: read.map(({ log, skipped }) => [log.runtime, skipped]),
    };
  }

  get positions(): string {
    const known = this.#logs.flatMap(({ runtime, tail }) =>
      tail.position ? [[runtime, tail.position]] : [],
    );
    return JSON.stringify(Object.fromEntries(known));
  }
}

function lineOf({ runtime, read }: Pick<FollowedLog, 'runtime' | 'read'>, text: string): RuntimeLine[] {
  if (text.trim() === '') return [];
  const line = read(text) ?? { at: new Date(), level: 'info' as const, message: text };
  return [{ ...line, runtime }];
}
