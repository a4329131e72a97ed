const mostKept = 1_000;

/** What the agent itself logs, kept until it is collected. Light: it is there from the first line on. */
export interface OwnLines {
  add: (line: string) => void;
  /** What has come since the last call, and how many lines there was no room for. */
  take(): { lines: string[]; lost: number };
}

export function ownLines(): OwnLines {
  let lines: string[] = [];
  let lost = 0;
  return {
    add: (line) => {
      if (lines.length < mostKept) lines.push(line);
      else lost++;
    },
    take: () => {
      const taken = { lines, lost };
      [lines, lost] = [[], 0];
      return taken;
    },
  };
}
