import { writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/** characters that are kept at most before they are written at once */
const mostKept = 64 * 1024;

type Output = NodeJS.WriteStream & { fd: number };
const writers = new Map<number, Writable>();

/** The one writer of an output: what writes there by turns must not have it written in another order. */
export function lineWriter(output: Output): Writable {
  const writer = writers.get(output.fd) ?? newWriter(output);
  writers.set(output.fd, writer);
  return writer;
}

/**
 * Writes lines, those of one turn of the event loop together: a call of the system costs more than a line. What is kept is
 * written at the latest when the process ends, also by `process.exit` or by an uncaught error; a kill takes with it
 * what its last turn said.
 */
function newWriter(output: Output): Writable {
  let kept = '';
  let scheduled = false;
  const take = () => {
    const text = kept;
    kept = '';
    return text;
  };
  const flush = () => {
    scheduled = false;
    if (kept !== '') output.write(take());
  };
  // a disk that is full, or a reader that is gone, costs lines and not the program; they are written again when they can be
  output.on('error', () => undefined);
  process.on('exit', () => {
    try {
      if (kept !== '') writeSync(output.fd, take());
    } catch {
      // there is no reader left
    }
  });
  return new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      kept += line;
      if (kept.length > mostKept) flush();
      else if (!scheduled) {
        scheduled = true;
        setImmediate(flush);
      }
      done();
    },
  });
}
