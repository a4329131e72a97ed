import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Log, problem, type Problem, newContext } from '@sluice/service';

/**
 * Answers what never becomes a request for the application, because it cannot be read, is too large or does not come in
 * time: with a problem document and a request id, like everything else (interface, section 7).
 */
export function answerUnreadable(server: Server, log: Log, release: string): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    answers.set(socket, response);
    response.once('close', () => answers.delete(socket));
  });
  const refuse = (socket: Duplex, refusal: Problem, reason: string) => {
    // a client must not find another response in the middle of this one
    if (!socket.writable || answers.get(socket)?.headersSent) return void socket.destroy();
    const { requestId } = newContext();
    log.info('a request could not be read', { request_id: requestId, status: refusal.status, reason });
    socket.end(messageOf(refusal, requestId, release));
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    socket.on('error', () => undefined);
    refuse(socket, problemOf(error), error.code ?? error.message);
  });
  // Node would close these connections without a word
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined);
    refuse(socket, problem('method_not_allowed'), 'CONNECT');
  });
}

function problemOf({ code }: NodeJS.ErrnoException): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return problem('headers_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('request_timeout');
    default:
      return problem('malformed_request');
  }
}

/** The whole answer as it goes over the wire: there is no response to write it with. */
function messageOf(refusal: Problem, requestId: string, release: string): string {
  const body = JSON.stringify(refusal.document(requestId));
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'connection: close',
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `svc-request: ${requestId}`,
    `svc-release: ${release}`,
    '',
    body,
  ].join('\r\n');
}
