import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';

/** A request that was answered, or whose client has gone. */
export interface AnsweredRequest {
  /** the operation's id, the path of what every service has (`/metrics`), or undefined for any other path */
  operation: string | undefined;
  /** 499 when the client has gone before the answer */
  status: number;
  /** of the problem that was answered */
  code: string | undefined;
  /** undefined: it was held until something happened, and says nothing of how fast the service is */
  seconds: number | undefined;
}

export interface RequestMetrics {
  /** @returns what to call when the request has come to an end */
  begin(): (answered: AnsweredRequest) => void;
}

/** all paths without an operation share one label */
const none = 'none';

/**
 * Rate, errors and duration of requests by operation. Labels come from the documents and from the table of codes, never from a
 * request, so there is an end to them: the duration goes by the class of the status, the exact one is counted.
 */
export function requestMetrics(registry: Registry, service: string): RequestMetrics {
  const registers = [registry];
  const duration = new Histogram({
    name: 'sluice_http_request_seconds',
    help: 'Time from a request to the end of its answer, by operation and class of the status; without those that were held (Prefer: wait)',
    labelNames: ['service', 'operation', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 35],
    registers,
  });
  const answered = new Counter({
    name: 'sluice_http_requests_total',
    help: 'Requests by operation, status and the code of the problem that was answered',
    labelNames: ['service', 'operation', 'status', 'code'],
    registers,
  });
  const inFlight = new Gauge({
    name: 'sluice_http_requests_in_flight',
    help: 'Requests that have not come to an end',
    labelNames: ['service'],
    registers,
  });
  inFlight.set({ service }, 0);
  return {
    begin() {
      inFlight.inc({ service });
      return ({ operation = none, status, code = '', seconds }) => {
        inFlight.dec({ service });
        if (seconds !== undefined)
          duration.observe({ service, operation, status: `${Math.floor(status / 100)}xx` }, seconds);
        answered.inc({ service, operation, status, code });
      };
    },
  };
}
