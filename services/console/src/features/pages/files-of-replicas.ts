import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request as requestByHttp, type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { reasonOf } from '@sluice/system';
import type { Log } from '@sluice/service';
import type { RequestHandler } from 'express';

export interface ReplicasOptions {
  /** an address whose name leads to all replicas, this one among them */
  replicas: URL;
  /** of the console's origin, which is all that a replica answers to */
  host: string;
  log: Log;
}

/** says that another replica asks, which is answered with what is there alone */
const askedBy = 'sluice-console-replica';
/** of an answer, and between its parts. Milliseconds. */
const patience = 2_000;
/** questions that are open at the same time: what is not found is no reason for more */
const mostAtOnce = 50;
const mostReplicas = 20;
const passed = ['content-type', 'content-length', 'content-encoding', 'cache-control', 'etag', 'vary'];

/**
 * Answers with a file that this replica has not and another one has. While releases change, a page of one build asks any replica for its
 * files (docs/decisions/198).
 */
export function filesOfReplicas({ replicas, host, log }: ReplicasOptions): RequestHandler {
  let open = 0;

  async function find(path: string, accepted: string | undefined): Promise<IncomingMessage | undefined> {
    const addresses = await lookup(replicas.hostname, { all: true });
    const asked = addresses.slice(0, mostReplicas).map(async ({ address }) => {
      const answer = await ask(address, path, accepted);
      if (answer.statusCode === 200) return answer;
      answer.destroy();
      throw new Error(`${address} answers ${answer.statusCode}`);
    });
    const found = await Promise.any(asked).catch(() => undefined);
    // others that have it as well
    for (const one of asked)
      void one.then((answer) => answer !== found && answer.destroy()).catch(() => undefined);
    return found;
  }

  async function ask(address: string, path: string, accepted = 'identity'): Promise<IncomingMessage> {
    const sent = requestByHttp({
      ...{ host: address, port: replicas.port || 80, path, timeout: patience, agent: false },
      headers: { host, 'accept-encoding': accepted, [askedBy]: 'yes' },
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  }

  return async (request, response, next) => {
    if (request.get(askedBy) !== undefined || open >= mostAtOnce) return next();
    open += 1;
    try {
      const answer = await find(request.path, request.get('accept-encoding'));
      if (!answer) return next();
      for (const name of passed)
        if (answer.headers[name] !== undefined) response.setHeader(name, answer.headers[name]);
      await pipeline(answer, response);
    } catch (error) {
      log.warn('other replicas could not be asked for a file', { reason: reasonOf(error) });
      if (response.headersSent) response.destroy();
      else next();
    } finally {
      open -= 1;
    }
  };
}
