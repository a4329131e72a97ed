import type { RequestHandler, Response } from 'express';

/**
 * From the moment at which `leaving` is aborted every answer says that its connection ends with it, also to requests that came
 * before: the client sends the next one elsewhere, before this process ends.
 */
export function lastAnswers(leaving: AbortSignal): RequestHandler {
  const open = new Set<Response>();
  leaving.addEventListener('abort', () => open.forEach(endConnection), { once: true });
  return (_request, response, next) => {
    if (leaving.aborted) endConnection(response);
    else {
      open.add(response);
      response.once('close', () => open.delete(response));
    }
    next();
  };
}

function endConnection(response: Response): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
