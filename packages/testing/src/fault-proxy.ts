import { connect } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { passOn } from './passed-on.ts';

/** A proxy before a server that can be made to fail: a client has no other connection to that server. */
export interface FaultProxy {
  port: number;
  /** breaks all connections and refuses new ones */
  disconnect(): void;
  restore(): void;
  /** loses everything that is sent to the server from now on, while its answers still come, until `restore` */
  dropRequests(): void;
  /** loses the next answer, with its connection: the server has had the request */
  loseAnswer(): void;
  close(): void;
}

/**
 * Listens on a port of its own and passes everything on to the port `target` of `host`, this machine if not said otherwise.
 * @param delayMilliseconds how long each piece is on its way to the server
 */
export async function faultProxy(
  target: number,
  delayMilliseconds = 0,
  host = '127.0.0.1',
): Promise<FaultProxy> {
  let isCut = false;
  let requestsAreLost = false;
  let answerIsLost = false;
  const { port, breakAll, close } = await passOn(
    () => (isCut ? undefined : connect(target, host)),
    (client, upstream) => {
      const requests = new Transform({
        transform(piece: Buffer, _encoding, done) {
          if (requestsAreLost) done();
          else if (delayMilliseconds === 0) done(null, piece);
          else void delay(delayMilliseconds).then(() => done(null, piece));
        },
      });
      client.pipe(requests).pipe(upstream);
      upstream.on('data', () => {
        if (answerIsLost) client.destroy();
        answerIsLost = false;
      });
    },
  );
  return {
    port,
    close,
    disconnect() {
      isCut = true;
      breakAll();
    },
    restore() {
      isCut = false;
      requestsAreLost = false;
    },
    dropRequests() {
      requestsAreLost = true;
    },
    loseAnswer() {
      answerIsLost = true;
    },
  };
}
