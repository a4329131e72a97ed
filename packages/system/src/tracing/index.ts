/** Traces, by OpenTelemetry (docs/decisions/059-traces-and-metrics.md). Light to import: what is heavy is loaded when it is wanted. */
export * from './settings.ts';
export * from './span.ts';
export * from './start.ts';
