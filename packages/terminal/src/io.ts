import { styleText } from 'node:util';

/** The streams of the program, and what they can show. */
export interface Io {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  /** whether questions can be asked: there are no prompts without a terminal, and none in CI */
  isInteractive: boolean;
  /** the width of the terminal that data is shown on; undefined without one */
  columns: number | undefined;
  /** Colours a word where data is shown on a terminal that has colours. */
  paint(style: Style, text: string): string;
  /** The same on stderr. */
  paintWords(style: Style, text: string): string;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  const painter = (stream: NodeJS.WriteStream) => {
    const colours = stream.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
    return (style: Style, text: string) =>
      colours ? styleText(style, text, { validateStream: false }) : text;
  };
  return {
    stdin,
    stdout,
    stderr,
    env,
    isInteractive: stdin.isTTY && stderr.isTTY && !env['CI'] && env['TERM'] !== 'dumb',
    columns: stdout.isTTY ? stdout.columns || 80 : undefined,
    paint: painter(stdout),
    paintWords: painter(stderr),
  };
}
