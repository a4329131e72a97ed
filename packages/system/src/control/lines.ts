import type { Socket } from 'node:net';

/** A line that is longer ends its connection: a state with a thousand rules has a tenth of that. */
const longestLine = 16 * 2 ** 20;

/** Calls `take` with each line that arrives, parsed as JSON. A sender of anything else is disconnected. */
export function readLines(socket: Socket, take: (message: unknown) => void): void {
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) return void socket.destroy();
    for (const line of lines) {
      try {
        take(JSON.parse(line));
      } catch {
        return void socket.destroy();
      }
    }
  });
}

/** The reader may be gone. */
export function writeLine(socket: Socket, message: object): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}
