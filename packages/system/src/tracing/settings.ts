import { z } from 'zod';

/** `a=1,b=2`, as OpenTelemetry has it: values are percent-encoded. */
const headers = z.string().transform((text, context) => {
  const pairs = text.split(',').map((pair) => pair.trim().split(/=(.*)/s, 2));
  const isWrong = pairs.some(([name = '', value]) => !/^[\w-]+$/.test(name) || value === undefined);
  const decoded = isWrong ? undefined : decodedOf(pairs);
  if (decoded) return decoded;
  context.addIssue({ code: 'custom', message: 'has to be name=value[,name=value…], percent-encoded' });
  return z.NEVER;
});

function decodedOf(pairs: string[][]): Record<string, string> | undefined {
  try {
    return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}

/** The variables by which traces are wanted, called as OpenTelemetry calls them. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'where traces are sent: the address of an OTLP/HTTP receiver, without `/v1/traces`; none: no traces',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: headers
    .optional()
    .describe('headers of requests to it, such as a key: name=value[,name=value…]'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('the share of traces that is recorded; the same in all services'),
};

export interface TracingEnvironment {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_HEADERS?: Record<string, string> | undefined;
  OTEL_TRACES_SAMPLER_ARG: number;
}
