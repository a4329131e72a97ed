import { z } from 'zod';

const number = z.number();

/** What is measured, of the server's monitoring pages `/varz` and `/jsz`. */
export const measuredVarzSchema = z.object({
  cpu: number,
  mem: number,
  connections: number,
  total_connections: number,
  subscriptions: number,
  slow_consumers: number,
  in_msgs: number,
  out_msgs: number,
  in_bytes: number,
  out_bytes: number,
});
export const measuredJszSchema = z.object({
  memory: number.default(0),
  storage: number.default(0),
  streams: number.default(0),
  consumers: number.default(0),
  messages: number.default(0),
});

/** The numbers of a broker; `cpu_percent` is of one processor. */
export function natsMetrics(
  server: z.infer<typeof measuredVarzSchema>,
  stored: z.infer<typeof measuredJszSchema>,
): Record<string, number> {
  return {
    cpu_percent: server.cpu,
    memory_bytes: server.mem,
    connections: server.connections,
    connections_total: server.total_connections,
    subscriptions: server.subscriptions,
    slow_consumers_total: server.slow_consumers,
    messages_received_total: server.in_msgs,
    messages_sent_total: server.out_msgs,
    bytes_received_total: server.in_bytes,
    bytes_sent_total: server.out_bytes,
    streams: stored.streams,
    consumers: stored.consumers,
    messages_stored: stored.messages,
    stored_bytes: stored.storage,
    stored_memory_bytes: stored.memory,
  };
}
