import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers with JSON. */
export const sendJson = (answer: ServerResponse, body: unknown, status = 200): void => {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/**
 * Answers who asks, and what the organization has: the deployment `payments/dev/orders`. Its region and the audit log are the same server.
 * @returns whether the request was about that
 */
export function answerPlaces(
  { url = '', headers: { host } }: IncomingMessage,
  answer: ServerResponse,
): boolean {
  const here = `http://${host}`;
  const region = { cloud: 'cloud_a', region: 'us-east-1', supervisor_url: here };
  const environment = { id: 3, name: 'dev', deployments: [{ id: 4, name: 'orders', ...region }] };
  const division = { id: 2, name: 'payments', environments: [environment] };
  if (url === '/context') sendJson(answer, { tenant: { id: 1 }, regions: [], audit_url: here });
  else if (url.endsWith('/structure')) sendJson(answer, { id: 1, name: 'Acme', divisions: [division] });
  else return false;
  return true;
}
